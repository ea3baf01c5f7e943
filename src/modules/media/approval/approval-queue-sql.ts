import {
  allOf,
  alwaysTrue,
  anyOf,
  constantSql,
  expression,
  joinExpressions,
  mainRow,
  parameter,
  RowReference,
  type SqlExpression,
  tableNamed,
} from '../../../kernel/declare/expression.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { conditionsBy, enumOperators, idOperators, instantOperators } from '../../../kernel/read/conditions/operators.js';
import { searchCondition } from '../../../kernel/read/conditions/search.js';
import type { PageRange } from '../../../kernel/read/paging/page-args.js';
import { is, type RowOfShape } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';
import { readingSql } from '../../../kernel/statement.js';
import { User } from '../../accounts/users/user.js';
import type { ItemFilter, QueueOrder } from '../queue/queue-arguments.js';
import { requiredApprovals } from '../queue/required-approvals.js';
import { ApprovalItemType, ApprovalState } from './approval-status.js';

const ownerOfSponsor = (sponsor: RowReference): SqlExpression =>
  expression`coalesce(nullif(${sponsor}.user_id, ''), ${sponsor}.created_by_id)`;

interface QueueSource {
  table: string;
  /** Column of the creation time. */
  createdColumn: string;
  /** SQL expression for the owner ID of the item `r`. */
  owner: SqlExpression;
}

const sources: Readonly<Record<ApprovalItemType, QueueSource>> = {
  SPONSOR: { table: 'sponsor', createdColumn: 'reported_created_at', owner: ownerOfSponsor(mainRow) },
  SPONSOR_IMAGE: {
    table: 'sponsor_image',
    createdColumn: 'created_at',
    owner: expression`(select ${ownerOfSponsor(mainRow.for('s'))} from ${tableNamed('sponsor')} s where s.id = r.sponsor_id)`,
  },
  USER_IMAGE: { table: 'user_image', createdColumn: 'reported_created_at', owner: mainRow.column('user_id') },
  BIOGRAPHY: { table: 'biography', createdColumn: 'reported_created_at', owner: mainRow.column('user_id') },
};

const isPending = expression`r.approval_state = 'PENDING'`;

/**
 * Returns the SQL condition that the item `r` is pending and needs the approval of the caller, who must be a confirmer. Excludes items that
 * the caller has approved, and the caller's own items unless the caller is an admin.
 */
function needsApprovalOf(type: ApprovalItemType, { user, platform }: Caller): SqlExpression {
  const byCaller = user
    ? expression`a.approved_by_id = ${parameter(user.id)}`
    : expression`a.approved_by_id is null and a.approved_by_platform_id = ${parameter(platform?.id ?? '')}`;
  const isLimited = user !== null && requiredApprovals(user) !== 0;
  return allOf([
    isPending,
    ...(isLimited ? [expression`${sources[type].owner} is distinct from ${parameter(user.id)}`] : []),
    expression`not exists (select from ${tableNamed('approval')} a
    where a.item_type = '${constantSql(type)}' and a.item_id = r.id and a.canceled_at is null and ${byCaller})`,
  ]);
}

/** Returns the items in `ids` that need the approval of the caller, who must be a confirmer. */
export async function pendingIdsFor(
  { sql, caller }: { sql: Session; caller: Caller },
  type: ApprovalItemType,
  ids: readonly string[],
): Promise<ReadonlySet<unknown>> {
  const conditions = [expression`r.id = any(${parameter(ids)})`, needsApprovalOf(type, caller)];
  const query = expression`select r.id from ${tableNamed(sources[type].table)} r where ${allOf(conditions)}`;
  const rows = await sql.rows(...readingSql(query), { id: is.text });
  return new Set(rows.map(({ id }) => id));
}

/** Filter and order of the approval queue. */
export interface ApprovalQueueQuery {
  /** Items in the queue: items that need the approval of a caller (a confirmer), all pending items, or items in any approval state. */
  scope: { readonly approver: Caller } | 'pending' | 'any';
  /** Conditions that items must meet. The condition on the state applies only to the scope `any`. */
  filter: ItemFilter | null;
  /** Order of the items. If the list is empty, the oldest items come first. */
  orderBy: readonly QueueOrder[];
}

/**
 * Cursor of an item: its creation time, the index of its type, its owner and its ID. Contains the name of the owner if the list is ordered
 * by it.
 */
export type QueueCursor = readonly [createdAt: string | null, type: number, owner: string, id: string, ownerName?: string];

const types = Object.values(ApprovalItemType);

const typeOfIndex = constantSql(`(case q.type ${types.map((type, index) => `when ${index} then '${type}'`).join(' ')} end)`);

const userRow = new RowReference('u');

/** Returns the SQL condition for items whose owner's name matches a search text. */
function isOwnedByUserNamed(search: string): SqlExpression {
  const { where } = searchCondition(User, search, userRow, 'filter.ownerName');
  return expression`q.owner in (select u.id from ${tableNamed('app_user')} u where ${where})`;
}

/** Returns the SQL condition for a filter on the queue, which has the alias `q`. */
function filterCondition(filter: ItemFilter | null): SqlExpression {
  const { type, ownerId, ownerName, createdAt } = filter ?? {};
  const conditions = runChecks(
    () => (type ? conditionsBy(enumOperators(ApprovalItemType).table, type, typeOfIndex, 'filter.type') : []),
    () => (ownerId ? conditionsBy(idOperators.table, ownerId, expression`nullif(q.owner, '')`, 'filter.ownerId') : []),
    () => (typeof ownerName === 'string' ? [isOwnedByUserNamed(ownerName)] : []),
    () => (createdAt ? conditionsBy(instantOperators.table, createdAt, expression`q.created_at`, 'filter.createdAt') : []),
  );
  return allOf(conditions.flat());
}

interface QueueKey {
  sql: SqlExpression;
  /** SQL that follows the key in ascending order and in descending order. Default: nothing and `desc`. */
  directions?: readonly [ascending: string, descending: string];
  cast: string;
  /** Index of the key's value in a cursor. */
  cursorIndex: 0 | 1 | 2 | 3 | 4;
  descending: boolean;
}

const queueKeys = {
  // The creation time is never null. The directions specify the order of nulls only because the indexes do.
  CREATED_AT: {
    sql: expression`q.created_at`,
    directions: ['nulls first', 'desc nulls last'],
    cast: 'timestamptz',
    cursorIndex: 0,
  },
  TYPE: { sql: expression`q.type`, cast: 'int', cursorIndex: 1 },
  OWNER_ID: { sql: expression`q.owner`, cast: 'text', cursorIndex: 2 },
  OWNER_NAME: { sql: expression`q.owner_name collate "unicode"`, cast: 'text', cursorIndex: 4 },
} as const;

/** Returns the sort keys: the requested fields, then creation time, type and ID. */
function queueSortKeys(orderBy: readonly QueueOrder[], isBackward: boolean): QueueKey[] {
  const defaultOrders = (['CREATED_AT', 'TYPE'] as const).map((field): QueueOrder => ({ field, direction: 'ASC' }));
  const orders = new Map<QueueOrder['field'], QueueOrder>();
  for (const order of [...orderBy, ...defaultOrders]) if (!orders.has(order.field)) orders.set(order.field, order);
  const keys = [...orders.values()].map(({ field, direction }): QueueKey => {
    return { ...queueKeys[field], descending: (direction === 'DESC') !== isBackward };
  });
  return [...keys, { sql: expression`q.id`, cast: 'text', cursorIndex: 3, descending: isBackward }];
}

/** Returns the SQL condition for rows after or before a cursor, in the order of the keys. */
function cursorCondition(keys: readonly QueueKey[], cursor: QueueCursor, isAfter: boolean): SqlExpression {
  const keyValues = keys.map(({ sql, cast, cursorIndex, descending }) => {
    const value = parameter(cursor[cursorIndex] ?? (cursorIndex === 0 ? '-infinity' : ''));
    return { sql, descending, value: expression`${value}::${constantSql(cast)}` };
  });
  const equalities = keyValues.map(({ sql, value }) => expression`${sql} = ${value}`);
  const alternatives = keyValues.map(({ sql, descending, value }, index) => {
    const operator = constantSql(descending === isAfter ? '<' : '>');
    return allOf([...equalities.slice(0, index), expression`${sql} ${operator} ${value}`]);
  });
  // The condition on the first key is redundant, but lets PostgreSQL start at the cursor in an index.
  const starts = keyValues.slice(0, 1).map(({ sql, value, descending }) => {
    return expression`${sql} ${constantSql(descending === isAfter ? '<=' : '>=')} ${value}`;
  });
  return allOf([...starts, expression`(${anyOf(alternatives)})`]);
}

/** Returns the SQL condition that an item `r` of a type belongs to a queue. Does not check the filter on the alias `q`. */
function scopeCondition(type: ApprovalItemType, { scope, filter }: ApprovalQueueQuery): SqlExpression {
  if (scope === 'pending') return isPending;
  if (scope !== 'any') return needsApprovalOf(type, scope.approver);
  const { state } = filter ?? {};
  return state
    ? allOf(conditionsBy(enumOperators(ApprovalState).table, state, expression`r.approval_state`, 'filter.state'))
    : alwaysTrue;
}

/** SQL expression for the full name of the item's owner. The item has the alias `i`. */
const ownerName = expression`coalesce((select concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, ''))
  from ${tableNamed('app_user')} u where u.id = i.owner), '')`;

/**
 * Returns the query for the items of all types. `part` limits the query of each type, so that PostgreSQL reads only the start of its index.
 */
function queueItems(
  queue: ApprovalQueueQuery,
  typeNames: Readonly<Record<ApprovalItemType, string>>,
  part = alwaysTrue,
): SqlExpression {
  const { filter, orderBy } = queue;
  const name = orderBy.some(({ field }) => field === 'OWNER_NAME') ? ownerName : expression`''`;
  const queries = types.map((type, index) => {
    const { table, createdColumn, owner } = sources[type];
    const isSelected = scopeCondition(type, queue);
    const typeColumns = constantSql(`'${typeNames[type]}' as "$type", ${index} as type`);
    const items = expression`select ${typeColumns}, r.id, ${mainRow.column(createdColumn)} as created_at, coalesce(${owner}, '') as owner from ${tableNamed(table)} r where ${isSelected}`;
    return expression`(select q.* from (select i.*, ${name} as owner_name from (${items}) i) q where ${filterCondition(filter)} and ${part})`;
  });
  return joinExpressions(queries, ' union all ');
}

/** Requested page of the queue, with its cursors. */
interface QueuePage extends PageRange {
  after: QueueCursor | null;
  before: QueueCursor | null;
}

const queueRow = {
  $type: is.text,
  type: is.number,
  id: is.text,
  created_at: is.orNull(is.text),
  owner: is.text,
  owner_name: is.text,
};

/** Reads a page of the queue with one statement for all types. Returns the rows of a backward page in reverse order. */
export async function readQueue(
  sql: Session,
  queue: ApprovalQueueQuery,
  typeNames: Readonly<Record<ApprovalItemType, string>>,
  { after, before, size, offset, isBackward }: QueuePage,
): Promise<RowOfShape<typeof queueRow>[]> {
  const keys = queueSortKeys(queue.orderBy, isBackward);
  const forwardKeys = queueSortKeys(queue.orderBy, false);
  const cursorConditions = [
    ...(after ? [cursorCondition(forwardKeys, after, true)] : []),
    ...(before ? [cursorCondition(forwardKeys, before, false)] : []),
  ];
  const order = joinExpressions(
    keys.map(({ sql: key, descending, directions: [asc, desc] = ['', 'desc'] }) => {
      return expression`${key} ${constantSql(descending ? desc : asc)}`;
    }),
    ',',
  );
  const items = queueItems(
    queue,
    typeNames,
    expression`${allOf(cursorConditions)} order by ${order} limit ${parameter(size + offset)}`,
  );
  const query = expression`select q.* from (${items}) q order by ${order} limit ${parameter(size)} offset ${parameter(offset)}`;
  return sql.rows(...readingSql(query), queueRow);
}

/** Returns the number of items in the queue. */
export async function countQueue(
  sql: Session,
  queue: ApprovalQueueQuery,
  typeNames: Readonly<Record<ApprovalItemType, string>>,
): Promise<number> {
  const query = expression`select count(*)::int as n from (${queueItems(queue, typeNames)}) q`;
  const row = await sql.row(...readingSql(query), { n: is.number });
  return row?.n ?? 0;
}
