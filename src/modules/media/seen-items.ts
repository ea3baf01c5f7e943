import type { Caller } from '../../kernel/caller.js';
import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import { optionsOf, type RecordOptions } from '../../kernel/record.js';
import type { Param } from '../../kernel/sql.js';
import { visibleRows } from '../../kernel/visible.js';
import { mayConfirm } from './confirmers.js';
import { itemTypes } from './item-types.js';

const records = Object.values(itemTypes).map(({ record }) => record);

/** The items of all types that a caller does not see, as SQL for their ids. */
const unseen = (caller: Caller, param: Param): string =>
  records
    .map((record) => {
      const visible = visibleRows(record, caller, param) ?? 'true';
      return `select r.id from ${optionsOf(record).table} r where (${visible}) is not true`;
    })
    .join(' union all ');

/** Comments on items that the caller does not see are for their authors; who confirms content sees all. */
export const onSeenItems: NonNullable<RecordOptions['visible']> = (caller, param) =>
  mayConfirm(caller) ? null : `(r.author_id = ${param(caller.user?.id ?? '')} or r.item_id not in (${unseen(caller, param)}))`;

/** Refuses a comment on an item that is there and that the caller does not see (decisions 8 and 37). */
export async function checkSeenItem({ caller, sql }: Context, itemId: string): Promise<void> {
  if (mayConfirm(caller)) return;
  const values: unknown[] = [itemId];
  const hidden = await sql.row(`select from (${unseen(caller, (value) => `$${values.push(value)}`)}) i where i.id = $1`, values);
  if (hidden) fail('FORBIDDEN', 'only for who sees the item');
}
