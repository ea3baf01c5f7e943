import { optionsOf } from '../../kernel/declare/record.js';
import type { Session } from '../../kernel/session.js';
import { itemTypes } from './item-types.js';

/** Whether an item of another type has this ID. Comments refer to their item by ID, without the type. */
export async function isIdOfOtherType(sql: Session, typename: string, id: string): Promise<boolean> {
  const others = Object.values(itemTypes)
    .filter(({ record }) => record.name !== typename)
    .map(({ record }) => `select id from ${optionsOf(record).table}`);
  return (await sql.row(`select from (${others.join(' union all ')}) item where id = $1`, [id])) !== null;
}
