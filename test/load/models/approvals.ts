import { randomUUID } from 'node:crypto';
import type { Outcome } from './linearizable.js';
import type { Model } from './model.js';
import type { Person } from './setting.js';

/** State of an item, and the users who have approved it. */
interface Standing {
  readonly state: 'PENDING' | 'APPROVED' | 'DECLINED';
  readonly required: number;
  readonly by: readonly number[];
  readonly comments: number;
}

interface Subject {
  readonly id: string;
  readonly type: 'SPONSOR' | 'USER_IMAGE';
  /** Two confirmers, a super admin, and the owner, who creates content and does not confirm. */
  readonly people: readonly Person[];
}

const superAdmin = 2;
const owner = 3;

const shown = ({ state, required, by }: Standing): string => `${state} ${by.length}/${required}`;
const conflict = (standing: Standing): Outcome<Standing>[] => [{ result: 'CONFLICT', next: standing }];
const stands = (next: Standing): Outcome<Standing>[] => [{ result: shown(next), next }];
const counted = (standing: Standing): Standing => ({
  ...standing,
  state: standing.by.length >= standing.required ? 'APPROVED' : 'PENDING',
});

function approve(item: Standing, who: number): Outcome<Standing>[] {
  if (who === owner) return [{ result: 'FORBIDDEN', next: item }];
  if (item.state === 'DECLINED') return conflict(item);
  return stands(item.state === 'APPROVED' || item.by.includes(who) ? item : counted({ ...item, by: [...item.by, who].sort() }));
}

function unapprove(item: Standing, who: number): Outcome<Standing>[] {
  if (who === owner) return [{ result: 'FORBIDDEN', next: item }];
  if (item.state === 'DECLINED') return conflict(item);
  const by = who === superAdmin ? [] : item.by.filter((each) => each !== who);
  // Every item of the model needs an approval, so it keeps its state if none is removed.
  if (by.length === item.by.length) return conflict(item);
  return stands(counted({ ...item, required: Math.max(item.required, 1), by }));
}

function decline(item: Standing, who: number, { type }: Subject): Outcome<Standing>[] {
  if (who === owner) return [{ result: 'FORBIDDEN', next: item }];
  if (type === 'SPONSOR') return [{ result: 'BAD_INPUT', next: item }];
  return item.state === 'PENDING' ? stands({ ...item, state: 'DECLINED' }) : conflict(item);
}

/** The platform changes an item for its owner. An approved item then needs two new approvals. A pending item stays pending. */
const edit = (item: Standing): Outcome<Standing>[] => [
  { result: 'done', next: item.state === 'APPROVED' ? { ...item, state: 'PENDING', required: 2, by: [] } : item },
];

const status = '{ state required given }';
let titles = 0;

/** Each approval counts once, and the required number is reached once. A change during the review cancels the earlier approvals. */
export const approvals: Model<Standing, Subject> = {
  name: 'approvals',
  kinds: 7,
  async begin(setting, what) {
    const confirmer = { roles: ['CONTENT_CONFIRMER'] };
    const people = await Promise.all([
      setting.person(confirmer),
      setting.person(confirmer),
      setting.person({ isSuperAdmin: true }),
      setting.person({ roles: ['CONTENT_CREATOR'] }),
    ]);
    const id = randomUUID();
    const [type, required] = what % 2 ? (['SPONSOR', 2] as const) : (['USER_IMAGE', 1 + (what % 3 ? 1 : 0)] as const);
    const columns = type === 'SPONSOR' ? 'sponsor (id, user_id, title' : 'user_image (id, user_id, type';
    await setting.rows(
      `insert into ${columns}, approval_state, approval_required, approval_given) values ($1, $2, 'PROFILE', 'PENDING', $3, 0)`,
      [id, people[owner]?.id, required],
    );
    return { subject: { id, type, people }, state: { state: 'PENDING', required, by: [], comments: 0 } };
  },
  command(setting, subject, { kind, who: drawn, process }) {
    const { id, type, people } = subject;
    const isEdit = kind === 5 && type === 'SPONSOR';
    const isComment = kind === 6 || (kind === 5 && !isEdit);
    const step = (['approveItem', 'approveItem', 'approveItem', 'unapproveItem', 'declineItem'] as const)[kind];
    const who = isEdit ? owner : drawn;
    const rules = { approveItem: approve, unapproveItem: unapprove, declineItem: decline };
    const call = isEdit
      ? `updateSponsor(id: $id, input: { title: "Title ${++titles}" }) { id }`
      : isComment
        ? 'createApprovalComment(itemId: $id, content: "Well.") { id }'
        : `${step}(id: $id, type: ${type}${step === 'declineItem' ? ', reason: "Blurred."' : ''}) ${status}`;
    return {
      title: `${process}: person ${who}: ${call.split('(')[0]}`,
      async send() {
        const { data, code } = await setting.ask(
          process,
          `mutation ($id: ID!) { done: ${call} }`,
          { id },
          // Only a platform can edit the sponsors of all users.
          isEdit ? { platform: setting.platform } : { user: people[who]?.user },
        );
        if (code || !step) return code || 'done';
        const { state, required, given } = data.done;
        return `${state} ${given}/${required}`;
      },
      outcomes(item) {
        if (isEdit) return edit(item);
        if (isComment) return [{ result: 'done', next: { ...item, comments: item.comments + 1 } }];
        return rules[step ?? 'approveItem'](item, who, subject);
      },
    };
  },
  look: (setting, { id, type, people }, process) => ({
    title: 'status',
    async send() {
      const [root, by] = type === 'SPONSOR' ? ['sponsor', 'sponsor(id: $id)'] : ['userImage', 'userImage(id: $id)'];
      const given = 'approvals(filter: { canceledAt: { isNull: true } }, first: 10) { nodes { approvedById } }';
      const query = `query ($id: ID!) { ${root}: ${by} { approval { state required given comments { totalCount } ${given} } } }`;
      const { data, code } = await setting.ask(process, query, { id }, { user: people[superAdmin]?.user });
      if (code) return code;
      const { state, required, given: count, comments, approvals: list } = data[root].approval;
      const whose = list.nodes.map((node: { approvedById: string }) =>
        people.findIndex((person) => person.id === node.approvedById),
      );
      return `${state} ${count}/${required} by ${whose.sort()}, ${comments.totalCount} comments`;
    },
    outcomes: (item) => [{ result: `${shown(item)} by ${item.by}, ${item.comments} comments`, next: item }],
  }),
};
