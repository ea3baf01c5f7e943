import { randomUUID } from 'node:crypto';
import type { Outcome } from './linearizable.js';
import type { Model } from './model.js';
import type { Person } from './setting.js';

/** State of an item that needs approval. Users are identified by their numbers. */
interface ApprovalState {
  readonly state: 'PENDING' | 'APPROVED' | 'DECLINED';
  readonly required: number;
  readonly approvers: readonly number[];
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

const shown = ({ state, required, approvers }: ApprovalState): string => `${state} ${approvers.length}/${required}`;
const conflict = (standing: ApprovalState): Outcome<ApprovalState>[] => [{ result: 'CONFLICT', next: standing }];
const stands = (next: ApprovalState): Outcome<ApprovalState>[] => [{ result: shown(next), next }];
const counted = (standing: ApprovalState): ApprovalState => ({
  ...standing,
  state: standing.approvers.length >= standing.required ? 'APPROVED' : 'PENDING',
});

function approve(item: ApprovalState, user: number): Outcome<ApprovalState>[] {
  if (user === owner) return [{ result: 'FORBIDDEN', next: item }];
  if (item.state === 'DECLINED') return conflict(item);
  return stands(
    item.state === 'APPROVED' || item.approvers.includes(user)
      ? item
      : counted({ ...item, approvers: [...item.approvers, user].sort() }),
  );
}

function unapprove(item: ApprovalState, user: number): Outcome<ApprovalState>[] {
  if (user === owner) return [{ result: 'FORBIDDEN', next: item }];
  if (item.state === 'DECLINED') return conflict(item);
  const approvers = user === superAdmin ? [] : item.approvers.filter((each) => each !== user);
  // Every item of the model needs an approval, so it keeps its state if no approval is removed.
  if (approvers.length === item.approvers.length) return conflict(item);
  return stands(counted({ ...item, required: Math.max(item.required, 1), approvers }));
}

function decline(item: ApprovalState, user: number, { type }: Subject): Outcome<ApprovalState>[] {
  if (user === owner) return [{ result: 'FORBIDDEN', next: item }];
  if (type === 'SPONSOR') return [{ result: 'BAD_INPUT', next: item }];
  // The reason for a decline is stored as a comment.
  return item.state === 'PENDING' ? stands({ ...item, state: 'DECLINED', comments: item.comments + 1 }) : conflict(item);
}

/**
 * Returns the outcome of a change that the platform makes for the owner. An approved item then needs two new approvals. A pending item
 * stays pending.
 */
const edit = (item: ApprovalState): Outcome<ApprovalState>[] => [
  { result: 'done', next: item.state === 'APPROVED' ? { ...item, state: 'PENDING', required: 2, approvers: [] } : item },
];

const status = '{ state required given }';
let titles = 0;

/**
 * Model of approvals. Each approval counts once, and the required number is reached once. A change during the review cancels the earlier
 * approvals.
 */
export const approvals: Model<ApprovalState, Subject> = {
  name: 'approvals',
  kinds: 7,
  async begin(setting, variant) {
    const confirmer = { roles: ['CONTENT_CONFIRMER'] };
    const people = await Promise.all([
      setting.person(confirmer),
      setting.person(confirmer),
      setting.person({ isSuperAdmin: true }),
      setting.person({ roles: ['CONTENT_CREATOR'] }),
    ]);
    const id = randomUUID();
    const [type, required] = variant % 2 ? (['SPONSOR', 2] as const) : (['USER_IMAGE', 1 + (variant % 3 ? 1 : 0)] as const);
    const columns = type === 'SPONSOR' ? 'sponsor (id, user_id, title' : 'user_image (id, user_id, type';
    await setting.rows(
      `insert into ${columns}, approval_state, approval_required, approval_given) values ($1, $2, 'PROFILE', 'PENDING', $3, 0)`,
      [id, people[owner]?.id, required],
    );
    return { subject: { id, type, people }, state: { state: 'PENDING', required, approvers: [], comments: 0 } };
  },
  command(setting, subject, { kind, user: userIndex, process }) {
    const { id, type, people } = subject;
    const isEdit = kind === 5 && type === 'SPONSOR';
    const isComment = kind === 6 || (kind === 5 && !isEdit);
    const step = (['approveItem', 'approveItem', 'approveItem', 'unapproveItem', 'declineItem'] as const)[kind];
    const user = isEdit ? owner : userIndex;
    const rules = { approveItem: approve, unapproveItem: unapprove, declineItem: decline };
    const call = isEdit
      ? `updateSponsor(id: $id, input: { title: "Title ${++titles}" }) { id }`
      : isComment
        ? 'createApprovalComment(itemId: $id, content: "Well.") { id }'
        : `${step}(id: $id, type: ${type}${step === 'declineItem' ? ', reason: "Blurred."' : ''}) ${status}`;
    return {
      title: `${process}: user ${user}: ${call.split('(')[0]}`,
      async send() {
        const { data, code } = await setting.send(
          process,
          `mutation ($id: ID!) { done: ${call} }`,
          { id },
          // Only a platform can edit the sponsors of all users.
          isEdit ? { platform: setting.platform } : { user: people[user]?.user },
        );
        if (code || !step) return code || 'done';
        const { state, required, given } = data.done;
        return `${state} ${given}/${required}`;
      },
      outcomes(item) {
        if (isEdit) return edit(item);
        if (isComment) return [{ result: 'done', next: { ...item, comments: item.comments + 1 } }];
        return rules[step ?? 'approveItem'](item, user, subject);
      },
    };
  },
  readState: (setting, { id, type, people }, process) => ({
    title: 'status',
    async send() {
      const [root, by] = type === 'SPONSOR' ? ['sponsor', 'sponsor(id: $id)'] : ['userImage', 'userImage(id: $id)'];
      const approvalsField = 'approvals(filter: { canceledAt: { isNull: true } }, first: 10) { nodes { approvedById } }';
      const query = `query ($id: ID!) { ${root}: ${by} { approval { state required given comments { totalCount } ${approvalsField} } } }`;
      const { data, code } = await setting.send(process, query, { id }, { user: people[superAdmin]?.user });
      if (code) return code;
      const { state, required, given: count, comments, approvals: list } = data[root].approval;
      const approverIndexes = list.nodes.map((node: { approvedById: string }) =>
        people.findIndex((person) => person.id === node.approvedById),
      );
      return `${state} ${count}/${required} by ${approverIndexes.sort()}, ${comments.totalCount} comments`;
    },
    outcomes: (item) => [{ result: `${shown(item)} by ${item.approvers}, ${item.comments} comments`, next: item }],
  }),
};
