import { optionsOf } from '../../../kernel/declare/record.js';
import { readSql } from '../../../kernel/facts.js';
import type { Session } from '../../../kernel/session.js';
import { itemTypes } from './item-types.js';

/** Whether an item of another type has this ID. Comments refer to items by ID only, so IDs must be unique across types. */
export async function isIdOfOtherType(sql: Session, recordName: string, id: string): Promise<boolean> {
  const tables = Object.values(itemTypes)
    .filter(({ record }) => record.name !== recordName)
    .map(({ record }) => optionsOf(record).table);
  const selects = tables.map((table) => `select id from ${table}`);
  return (await sql.row(readSql(tables, `select from (${selects.join(' union all ')}) item where id = $1`), [id])) !== null;
}
