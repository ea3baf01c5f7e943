import type { Caller } from '../../kernel/declare/caller.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { readSql } from '../../kernel/facts.js';
import { visibleRows } from '../../kernel/read/visible.js';
import type { Param, Session } from '../../kernel/session.js';
import { collectForText } from '../../kernel/statement.js';
import { itemTypes } from './item-types.js';

const records = Object.values(itemTypes).map(({ record }) => record);

/** The items of all types that a caller sees, or does not, as SQL for their ids. */
const itemsBy = (caller: Caller, param: Param, isSeen: boolean): string =>
  records
    .map((record) => {
      const visible = visibleRows(record, caller, param.for('item')) ?? 'true';
      return `select item.id from ${param.table(optionsOf(record).table)} item where (${visible}) is ${isSeen ? '' : 'not '}true`;
    })
    .join(' union all ');

export const unseenItems = (caller: Caller, param: Param): string => itemsBy(caller, param, false);
export const seenItems = (caller: Caller, param: Param): string => itemsBy(caller, param, true);

/** Whether there is an item with that id that the caller does not see. */
export async function isUnseen(sql: Session, caller: Caller, itemId: string): Promise<boolean> {
  const values: unknown[] = [itemId];
  const param = collectForText(values);
  const unseen = unseenItems(caller, param);
  return (await sql.row(readSql(param.noted.tables, `select from (${unseen}) i where i.id = $1`), values)) !== null;
}
