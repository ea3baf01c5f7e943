import {
  alwaysTrue,
  expression,
  joinExpressions,
  mainRow,
  parameter,
  type RowReference,
  type SqlExpression,
  tableNamed,
} from '../../../kernel/declare/expression.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import { sqlForReading } from '../../../kernel/facts.js';
import { visibleRows } from '../../../kernel/read/conditions/visible.js';
import type { Session } from '../../../kernel/session.js';
import { readingSql } from '../../../kernel/statement.js';
import { itemTypes } from './item-types.js';

/** Whether an item of another type has this ID. Comments refer to items only by ID, so IDs must be unique across types. */
export async function isIdOfOtherType(sql: Session, recordName: string, id: string): Promise<boolean> {
  const tables = Object.values(itemTypes)
    .filter(({ record }) => record.name !== recordName)
    .map(({ record }) => optionsOf(record).table);
  const selects = tables.map((table) => `select id from ${table}`);
  return (await sql.row(sqlForReading(tables, `select from (${selects.join(' union all ')}) item where id = $1`), [id])) !== null;
}

const records = Object.values(itemTypes).map(({ record }) => record);

/**
 * Returns an SQL query for the IDs of all items that the caller can see. If `isVisible` is false, the query returns the IDs of all other
 * items.
 */
function itemIds(caller: Caller, row: RowReference, isVisible: boolean): SqlExpression {
  const queries = records.map((record) => {
    const visibleCondition = visibleRows(record, caller, row.for('item')) ?? alwaysTrue;
    const items = expression`select item.id from ${tableNamed(optionsOf(record).table)} item where (${visibleCondition})`;
    return isVisible ? expression`${items} is true` : expression`${items} is not true`;
  });
  return joinExpressions(queries, ' union all ');
}

export const hiddenItemIds = (caller: Caller, row: RowReference): SqlExpression => itemIds(caller, row, false);
export const visibleItemIds = (caller: Caller, row: RowReference): SqlExpression => itemIds(caller, row, true);

/** Whether an item with this ID exists that the caller cannot see. */
export async function isItemHidden(sql: Session, caller: Caller, itemId: string): Promise<boolean> {
  const query = expression`select from (${hiddenItemIds(caller, mainRow)}) i where i.id = ${parameter(itemId)}`;
  return (await sql.row(...readingSql(query))) !== null;
}
