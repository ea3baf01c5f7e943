import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import { sqlForReading } from '../../../kernel/facts.js';
import { visibleRows } from '../../../kernel/read/conditions/visible.js';
import type { Param, Session } from '../../../kernel/session.js';
import { collectForText } from '../../../kernel/statement.js';
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

/** Returns an SQL query for the IDs of all items, of any type, that the caller can see, or cannot see if `isVisible` is false. */
const itemIds = (caller: Caller, param: Param, isVisible: boolean): string =>
  records
    .map((record) => {
      const visibleCondition = visibleRows(record, caller, param.for('item')) ?? 'true';
      return `select item.id from ${param.table(optionsOf(record).table)} item where (${visibleCondition}) is ${isVisible ? '' : 'not '}true`;
    })
    .join(' union all ');

export const hiddenItems = (caller: Caller, param: Param): string => itemIds(caller, param, false);
export const visibleItems = (caller: Caller, param: Param): string => itemIds(caller, param, true);

/** Whether an item with this ID exists that the caller cannot see. */
export async function isItemHidden(sql: Session, caller: Caller, itemId: string): Promise<boolean> {
  const values: unknown[] = [itemId];
  const param = collectForText(values);
  const hiddenQuery = hiddenItems(caller, param);
  return (
    (await sql.row(sqlForReading(param.statedFacts.tables, `select from (${hiddenQuery}) i where i.id = $1`), values)) !== null
  );
}
