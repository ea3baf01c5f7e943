import type { Caller } from '../../kernel/declare/caller.js';
import { allOf } from '../../kernel/declare/problems.js';
import { readSql } from '../../kernel/facts.js';
import { conditionsBy, ofEnumeration, ofId, ofInstants } from '../../kernel/read/operators.js';
import type { Part } from '../../kernel/read/part.js';
import { is, type RowShaped } from '../../kernel/row-shape.js';
import type { Param, Session } from '../../kernel/session.js';
import { collectForText } from '../../kernel/statement.js';
import { ApprovalItemType } from './approval-state.js';
import type { QueueFilter, QueueOrder } from './queue-arguments.js';
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
  const waits = waitsFor(type, caller, collectForText(values));
  const rows = await sql.rows(
    readSql(
      [kinds[type].table, 'sponsor', 'approval'],
      `select r.id from ${kinds[type].table} r where r.id = any($1) and ${waits}`,
    ),
    values,
    {
      id: is.text,
    },
  );
  return new Set(rows.map(({ id }) => id));
}

/** What of the queue is meant. */
export interface Queue {
  types: readonly ApprovalItemType[];
  /** Only what waits for the approval of this caller, who may give one; all that waits where it is null. */
  approver: Caller | null;
  /** Only items that meet these conditions. */
  filter: QueueFilter | null;
  /** Order of the items; oldest first if empty. */
  orderBy: readonly QueueOrder[];
}

/** Cursor of an item: its creation time, the index of its kind, its owner and its ID. */
export type QueuePlace = readonly [made: string | null, kind: number, owner: string, id: string];

const every = Object.keys(kinds);

const kindNames = every.map((type, index) => `when ${index} then '${type}'`).join(' ');

/** SQL condition of a filter on the queue, aliased `q`. */
function asked(filter: QueueFilter | null, param: Param): string {
  const { kind, ownerId, createdAt } = filter ?? {};
  const conditions = allOf(
    () =>
      kind
        ? conditionsBy(ofEnumeration(ApprovalItemType).table, kind, param, 'filter.kind', `(case q.kind ${kindNames} end)`)
        : [],
    () => (ownerId ? conditionsBy(ofId.table, ownerId, param, 'filter.ownerId', `nullif(q.owner, '')`) : []),
    () => (createdAt ? conditionsBy(ofInstants.table, createdAt, param, 'filter.createdAt', 'q.made') : []),
  );
  return conditions.flat().join(' and ') || 'true';
}

interface QueueKey {
  sql: string;
  cast: string;
  /** Which part of a place it is. */
  at: 0 | 1 | 2 | 3;
  descending: boolean;
}

const queueKeys = {
  CREATED_AT: { sql: `coalesce(q.made, '-infinity')`, cast: 'timestamptz', at: 0 },
  KIND: { sql: 'q.kind', cast: 'int', at: 1 },
  OWNER_ID: { sql: 'q.owner', cast: 'text', at: 2 },
} as const;

/** Sort keys: the selected fields, then creation time, kind and ID. */
function keysOfQueue(orderBy: readonly QueueOrder[], isBackward: boolean): QueueKey[] {
  const usual = (['CREATED_AT', 'KIND'] as const).map((field): QueueOrder => ({ field, direction: 'ASC' }));
  const orders = new Map<QueueOrder['field'], QueueOrder>();
  for (const order of [...orderBy, ...usual]) if (!orders.has(order.field)) orders.set(order.field, order);
  const keys = [...orders.values()].map(({ field, direction }): QueueKey => {
    return { ...queueKeys[field], descending: (direction === 'DESC') !== isBackward };
  });
  return [...keys, { sql: 'q.id', cast: 'text', at: 3, descending: isBackward }];
}

/** SQL: rows after or before a cursor in the order of the keys. */
function beyondPlace(keys: readonly QueueKey[], place: QueuePlace, param: Param, isAfter: boolean): string {
  const values = keys.map(({ cast, at }) => `${param(at === 0 ? (place[0] ?? '-infinity') : place[at])}::${cast}`);
  const options = keys.map(({ sql, descending }, index) => {
    const equal = keys.slice(0, index).map((key, at) => `${key.sql} = ${values[at]}`);
    return [...equal, `${sql} ${descending === isAfter ? '<' : '>'} ${values[index]}`].join(' and ');
  });
  return `(${options.join(' or ')})`;
}

/** Tables that the queue is read from. */
const tablesOf = ({ types }: Queue): string[] => [...types.map((type) => kinds[type].table), 'sponsor', 'approval'];

const waiting = (
  { types, approver, filter }: Queue,
  typeNames: Readonly<Record<ApprovalItemType, string>>,
  param: Param,
): string => {
  const items = types
    .map((type) => {
      const { table, made, owner } = kinds[type];
      const waits = approver ? waitsFor(type, approver, param) : isPending;
      return `select '${typeNames[type]}' as "$type", ${every.indexOf(type)} as kind, r.id, r.${made} as made, coalesce(${owner}, '') as owner from ${table} r where ${waits}`;
    })
    .join(' union all ');
  return filter ? `select q.* from (${items}) q where ${asked(filter, param)}` : items;
};

/** Which part of it, counted from its end where that is meant. */
interface QueuePart extends Part {
  after: QueuePlace | null;
  before: QueuePlace | null;
}

const queued = { $type: is.text, kind: is.number, id: is.text, made: is.orNull(is.text), owner: is.text };

/** Reads items that wait for approvals in the order of the queue, or backward from its end, in one statement for all kinds. */
export async function readQueue(
  sql: Session,
  queue: Queue,
  typeNames: Readonly<Record<ApprovalItemType, string>>,
  { after, before, size, offset, isBackward }: QueuePart,
): Promise<RowShaped<typeof queued>[]> {
  const values: unknown[] = [];
  const param = collectForText(values);
  const items = waiting(queue, typeNames, param);
  const keys = keysOfQueue(queue.orderBy, isBackward);
  const inOrder = keysOfQueue(queue.orderBy, false);
  const between = [
    ...(after ? [beyondPlace(inOrder, after, param, true)] : []),
    ...(before ? [beyondPlace(inOrder, before, param, false)] : []),
  ].join(' and ');
  const by = keys.map(({ sql: key, descending }) => `${key}${descending ? ' desc' : ''}`);
  return sql.rows(
    readSql(
      tablesOf(queue),
      `select q.* from (${items}) q where ${between || 'true'} order by ${by.join()} limit ${param(size)} offset ${param(offset)}`,
    ),
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
  const items = waiting(queue, typeNames, collectForText(values));
  const row = await sql.row(readSql(tablesOf(queue), `select count(*)::int as n from (${items}) q`), values, { n: is.number });
  return row?.n ?? 0;
}
