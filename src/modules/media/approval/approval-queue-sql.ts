import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { sqlForReading } from '../../../kernel/facts.js';
import { conditionsBy, enumOperators, idOperators, instantOperators } from '../../../kernel/read/conditions/operators.js';
import type { PageRange } from '../../../kernel/read/paging/page-args.js';
import { is, type RowOfShape } from '../../../kernel/row-shape.js';
import type { Param, Session } from '../../../kernel/session.js';
import { collectForText } from '../../../kernel/statement.js';
import type { QueueFilter, QueueOrder } from '../queue/queue-arguments.js';
import { requiredApprovals } from '../queue/required-approvals.js';
import { ApprovalItemType } from './approval-status.js';

const ownerOfSponsor = (sponsor: string): string => `coalesce(nullif(${sponsor}.user_id, ''), ${sponsor}.created_by_id)`;

interface QueueSource {
  table: string;
  /** Column of the creation time. */
  createdColumn: string;
  /** SQL expression for the ID of the owner of the item `r`. */
  owner: string;
}

const sources: Readonly<Record<ApprovalItemType, QueueSource>> = {
  SPONSOR: { table: 'sponsor', createdColumn: 'reported_created_at', owner: ownerOfSponsor('r') },
  SPONSOR_IMAGE: {
    table: 'sponsor_image',
    createdColumn: 'created_at',
    owner: `(select ${ownerOfSponsor('s')} from sponsor s where s.id = r.sponsor_id)`,
  },
  USER_IMAGE: { table: 'user_image', createdColumn: 'reported_created_at', owner: 'r.user_id' },
  BIOGRAPHY: { table: 'biography', createdColumn: 'reported_created_at', owner: 'r.user_id' },
};

const isPending = `r.approval_state = 'PENDING'`;

/**
 * Returns the SQL condition that the item `r` is pending and needs the approval of the caller, who must be a confirmer. Excludes items that
 * the caller has approved, and the caller's own items unless the caller is an admin.
 */
function needsApprovalOf(type: ApprovalItemType, { user, platform }: Caller, param: Param): string {
  const byCaller = user
    ? `a.approved_by_id = ${param(user.id)}`
    : `a.approved_by_id is null and a.approved_by_platform_id = ${param(platform?.id ?? '')}`;
  const isNotOwn = user && requiredApprovals(user) !== 0 ? ` and ${sources[type].owner} is distinct from ${param(user.id)}` : '';
  return `${isPending}${isNotOwn} and not exists (select from approval a
    where a.item_type = '${type}' and a.item_id = r.id and a.canceled_at is null and ${byCaller})`;
}

/** Returns the items in `ids` that need the approval of the caller, who must be a confirmer. */
export async function pendingIdsFor(
  { sql, caller }: { sql: Session; caller: Caller },
  type: ApprovalItemType,
  ids: readonly string[],
): Promise<ReadonlySet<unknown>> {
  const values: unknown[] = [ids];
  const condition = needsApprovalOf(type, caller, collectForText(values));
  const rows = await sql.rows(
    sqlForReading(
      [sources[type].table, 'sponsor', 'approval'],
      `select r.id from ${sources[type].table} r where r.id = any($1) and ${condition}`,
    ),
    values,
    {
      id: is.text,
    },
  );
  return new Set(rows.map(({ id }) => id));
}

/** Filter and order of the approval queue. */
export interface Queue {
  /** Restricts the queue to items that need the approval of this caller, who must be a confirmer. Null selects all pending items. */
  approver: Caller | null;
  /** Conditions that items must meet. */
  filter: QueueFilter | null;
  /** Order of the items. Oldest first if empty. */
  orderBy: readonly QueueOrder[];
}

/** Cursor of an item: its creation time, the index of its type, its owner and its ID. */
export type QueueCursor = readonly [createdAt: string | null, type: number, owner: string, id: string];

const types = Object.values(ApprovalItemType);

const typeOfIndex = `case q.type ${types.map((type, index) => `when ${index} then '${type}'`).join(' ')} end`;

/** Returns the SQL condition for a filter on the queue, which has the alias `q`. */
function filterCondition(filter: QueueFilter | null, param: Param): string {
  const { type, ownerId, createdAt } = filter ?? {};
  const conditions = runChecks(
    () => (type ? conditionsBy(enumOperators(ApprovalItemType).table, type, param, 'filter.type', `(${typeOfIndex})`) : []),
    () => (ownerId ? conditionsBy(idOperators.table, ownerId, param, 'filter.ownerId', `nullif(q.owner, '')`) : []),
    () => (createdAt ? conditionsBy(instantOperators.table, createdAt, param, 'filter.createdAt', 'q.created_at') : []),
  );
  return conditions.flat().join(' and ') || 'true';
}

interface QueueKey {
  sql: string;
  cast: string;
  /** Index of the key's value in a cursor. */
  cursorIndex: 0 | 1 | 2 | 3;
  descending: boolean;
}

const queueKeys = {
  CREATED_AT: { sql: `coalesce(q.created_at, '-infinity')`, cast: 'timestamptz', cursorIndex: 0 },
  TYPE: { sql: 'q.type', cast: 'int', cursorIndex: 1 },
  OWNER_ID: { sql: 'q.owner', cast: 'text', cursorIndex: 2 },
} as const;

/** Returns the sort keys: the requested fields, then creation time, type and ID. */
function queueSortKeys(orderBy: readonly QueueOrder[], isBackward: boolean): QueueKey[] {
  const defaultOrders = (['CREATED_AT', 'TYPE'] as const).map((field): QueueOrder => ({ field, direction: 'ASC' }));
  const orders = new Map<QueueOrder['field'], QueueOrder>();
  for (const order of [...orderBy, ...defaultOrders]) if (!orders.has(order.field)) orders.set(order.field, order);
  const keys = [...orders.values()].map(({ field, direction }): QueueKey => {
    return { ...queueKeys[field], descending: (direction === 'DESC') !== isBackward };
  });
  return [...keys, { sql: 'q.id', cast: 'text', cursorIndex: 3, descending: isBackward }];
}

/** Returns the SQL condition for rows after or before a cursor, in the order of the keys. */
function cursorCondition(keys: readonly QueueKey[], cursor: QueueCursor, param: Param, isAfter: boolean): string {
  const values = keys.map(
    ({ cast, cursorIndex }) => `${param(cursorIndex === 0 ? (cursor[0] ?? '-infinity') : cursor[cursorIndex])}::${cast}`,
  );
  const alternatives = keys.map(({ sql, descending }, index) => {
    const equal = keys.slice(0, index).map((key, valueIndex) => `${key.sql} = ${values[valueIndex]}`);
    return [...equal, `${sql} ${descending === isAfter ? '<' : '>'} ${values[index]}`].join(' and ');
  });
  return `(${alternatives.join(' or ')})`;
}

/** Tables that the queue reads. */
const tables: readonly string[] = [...types.map((type) => sources[type].table), 'approval'];

const queueItems = ({ approver, filter }: Queue, typeNames: Readonly<Record<ApprovalItemType, string>>, param: Param): string => {
  const items = types
    .map((type) => {
      const { table, createdColumn, owner } = sources[type];
      const isSelected = approver ? needsApprovalOf(type, approver, param) : isPending;
      return `select '${typeNames[type]}' as "$type", ${types.indexOf(type)} as type, r.id, r.${createdColumn} as created_at, coalesce(${owner}, '') as owner from ${table} r where ${isSelected}`;
    })
    .join(' union all ');
  return filter ? `select q.* from (${items}) q where ${filterCondition(filter, param)}` : items;
};

/** Page of the queue. */
interface QueuePage extends PageRange {
  after: QueueCursor | null;
  before: QueueCursor | null;
}

const queueRow = { $type: is.text, type: is.number, id: is.text, created_at: is.orNull(is.text), owner: is.text };

/** Reads a page of pending items with one statement for all types. Returns the rows of a backward page in reverse order. */
export async function readQueue(
  sql: Session,
  queue: Queue,
  typeNames: Readonly<Record<ApprovalItemType, string>>,
  { after, before, size, offset, isBackward }: QueuePage,
): Promise<RowOfShape<typeof queueRow>[]> {
  const values: unknown[] = [];
  const param = collectForText(values);
  const items = queueItems(queue, typeNames, param);
  const keys = queueSortKeys(queue.orderBy, isBackward);
  const forwardKeys = queueSortKeys(queue.orderBy, false);
  const cursorConditions = [
    ...(after ? [cursorCondition(forwardKeys, after, param, true)] : []),
    ...(before ? [cursorCondition(forwardKeys, before, param, false)] : []),
  ].join(' and ');
  const orderTerms = keys.map(({ sql: key, descending }) => `${key}${descending ? ' desc' : ''}`);
  return sql.rows(
    sqlForReading(
      tables,
      `select q.* from (${items}) q where ${cursorConditions || 'true'} order by ${orderTerms.join()} limit ${param(size)} offset ${param(offset)}`,
    ),
    values,
    queueRow,
  );
}

/** Counts the items in the queue. */
export async function countQueue(
  sql: Session,
  queue: Queue,
  typeNames: Readonly<Record<ApprovalItemType, string>>,
): Promise<number> {
  const values: unknown[] = [];
  const items = queueItems(queue, typeNames, collectForText(values));
  const row = await sql.row(sqlForReading(tables, `select count(*)::int as n from (${items}) q`), values, { n: is.number });
  return row?.n ?? 0;
}
