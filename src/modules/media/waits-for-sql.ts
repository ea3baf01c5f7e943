import type { Caller } from '../../kernel/declare/caller.js';
import type { Part } from '../../kernel/read/part.js';
import { is, type RowShaped } from '../../kernel/row-shape.js';
import type { Param, Session } from '../../kernel/session.js';
import type { ApprovalItemType } from './approval-state.js';
import { approvalsNeeded } from './required-approvals.js';

const ownerOfSponsor = (sponsor: string): string => `coalesce(nullif(${sponsor}.user_id, ''), ${sponsor}.created_by_id)`;

interface QueuedKind {
  table: string;
  /** Which column says when one was made, and in SQL over the row `r` whose it is. */
  made: string;
  owner: string;
}

const kinds: Readonly<Record<ApprovalItemType, QueuedKind>> = {
  SPONSOR: { table: 'sponsor', made: 'reported_created_at', owner: ownerOfSponsor('r') },
  SPONSOR_IMAGE: {
    table: 'sponsor_image',
    made: 'created_at',
    owner: `(select ${ownerOfSponsor('s')} from sponsor s where s.id = r.sponsor_id)`,
  },
  USER_IMAGE: { table: 'user_image', made: 'reported_created_at', owner: 'r.user_id' },
  BIOGRAPHY: { table: 'biography', made: 'reported_created_at', owner: 'r.user_id' },
};

const isPending = `r.approval_state = 'PENDING'`;

/**
 * SQL over the item `r`: it waits for the approval of a caller who may give one. It is nobody's own, admins excepted, and has not had that
 * approval yet.
 */
function waitsFor(type: ApprovalItemType, { user, platform }: Caller, param: Param): string {
  const given = user
    ? `a.approved_by_id = ${param(user.id)}`
    : `a.approved_by_id is null and a.approved_by_platform_id = ${param(platform?.id ?? '')}`;
  const isForeign = user && approvalsNeeded(user) !== 0 ? ` and ${kinds[type].owner} is distinct from ${param(user.id)}` : '';
  return `${isPending}${isForeign} and not exists (select from approval a
    where a.item_type = '${type}' and a.item_id = r.id and a.canceled_at is null and ${given})`;
}

/** Which of some items wait for the approval of a caller who may give one. */
export async function waitingAmong(
  { sql, caller }: { sql: Session; caller: Caller },
  type: ApprovalItemType,
  ids: readonly string[],
): Promise<ReadonlySet<unknown>> {
  const values: unknown[] = [ids];
  const waits = waitsFor(type, caller, (value) => `$${values.push(value)}`);
  const rows = await sql.rows(`select r.id from ${kinds[type].table} r where r.id = any($1) and ${waits}`, values, {
    id: is.text,
  });
  return new Set(rows.map(({ id }) => id));
}

/** What of the queue is meant. */
export interface Queue {
  types: readonly ApprovalItemType[];
  /** Only what waits for the approval of this caller, who may give one; all that waits where it is null. */
  approver: Caller | null;
}

/** Where an item stands: when that was made, its kind's place among the kinds, and its id. */
export type QueuePlace = readonly [made: string | null, kind: number, id: string];

const every = Object.keys(kinds);

const waiting = ({ types, approver }: Queue, typeNames: Readonly<Record<ApprovalItemType, string>>, param: Param): string =>
  types
    .map((type) => {
      const { table, made } = kinds[type];
      const waits = approver ? waitsFor(type, approver, param) : isPending;
      return `select '${typeNames[type]}' as "$type", ${every.indexOf(type)} as kind, r.id, r.${made} as made from ${table} r where ${waits}`;
    })
    .join(' union all ');

/** Which part of it, counted from its end where that is meant. */
interface QueuePart extends Part {
  after: QueuePlace | null;
  before: QueuePlace | null;
}

const queued = { $type: is.text, kind: is.number, id: is.text, made: is.orNull(is.text) };

/** Items that wait for approvals, what has waited longest first, or from the end backwards: one statement for all kinds. */
export async function readQueue(
  sql: Session,
  queue: Queue,
  typeNames: Readonly<Record<ApprovalItemType, string>>,
  { after, before, size, offset, isBackward }: QueuePart,
): Promise<RowShaped<typeof queued>[]> {
  const values: unknown[] = [];
  const param = (value: unknown) => `$${values.push(value)}`;
  const items = waiting(queue, typeNames, param);
  const order = [`coalesce(q.made, '-infinity')`, 'q.kind', 'q.id'];
  const beyond = (sign: string, [made, kind, id]: QueuePlace) =>
    `(${order.join()}) ${sign} (coalesce(${param(made)}::timestamptz, '-infinity'), ${param(kind)}::int, ${param(id)}::text)`;
  const between = [...(after ? [beyond('>', after)] : []), ...(before ? [beyond('<', before)] : [])].join(' and ');
  const by = isBackward ? order.map((part) => `${part} desc`) : order;
  return sql.rows(
    `select q.* from (${items}) q where ${between || 'true'} order by ${by.join()} limit ${param(size)} offset ${param(offset)}`,
    values,
    queued,
  );
}

/** How many items wait in all. */
export async function countQueue(
  sql: Session,
  queue: Queue,
  typeNames: Readonly<Record<ApprovalItemType, string>>,
): Promise<number> {
  const values: unknown[] = [];
  const items = waiting(queue, typeNames, (value) => `$${values.push(value)}`);
  const row = await sql.row(`select count(*)::int as n from (${items}) q`, values, { n: is.number });
  return row?.n ?? 0;
}
