import type { Caller } from '../../kernel/declare/caller.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { readSql } from '../../kernel/facts.js';
import { visibleRows } from '../../kernel/read/visible.js';
import type { Param, Session } from '../../kernel/session.js';
import { itemTypes } from './item-types.js';

const records = Object.values(itemTypes).map(({ record }) => record);
const itemTables = () => records.map((record) => optionsOf(record).table);

/** The items of all types that a caller sees, or does not, as SQL for their ids. */
const itemsBy = (caller: Caller, param: Param, isSeen: boolean): string =>
  records
    .map((record) => {
      // A name of its own: `r` is the row around it, which filters call by other names.
      const visible = (visibleRows(record, caller, param) ?? 'true').replace(/\br\./g, 'item.');
      return `select item.id from ${optionsOf(record).table} item where (${visible}) is ${isSeen ? '' : 'not '}true`;
    })
    .join(' union all ');

export const unseenItems = (caller: Caller, param: Param): string => itemsBy(caller, param, false);
export const seenItems = (caller: Caller, param: Param): string => itemsBy(caller, param, true);

/** Whether there is an item with that id that the caller does not see. */
export async function isUnseen(sql: Session, caller: Caller, itemId: string): Promise<boolean> {
  const values: unknown[] = [itemId];
  const unseen = unseenItems(caller, (value) => `$${values.push(value)}`);
  return (await sql.row(readSql(itemTables(), `select from (${unseen}) i where i.id = $1`), values)) !== null;
}
