import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import type { RecordOptions } from '../../kernel/declare/options.js';
import { mayConfirm } from './confirmers.js';
import { isUnseen, seenItems, unseenItems } from './unseen-items-sql.js';

/** Comments on items that the caller does not see are for their authors; who confirms content sees all. */
export const onSeenItems: NonNullable<RecordOptions['visible']> = (caller, param) =>
  mayConfirm(caller)
    ? null
    : `(${param.row}.author_id = ${param(caller.user?.id ?? '')} or ${param.row}.item_id not in (${unseenItems(caller, param)}))`;

/** The same of comments that are gone: of those on items that are gone, too, nobody but the author knows who saw them. */
export const onSeenItemsThen: NonNullable<RecordOptions['visible']> = (caller, param) =>
  mayConfirm(caller)
    ? null
    : `(${param.row}.author_id = ${param(caller.user?.id ?? '')} or ${param.row}.item_id in (${seenItems(caller, param)}))`;

/** Refuses a comment on an item that is there and that the caller does not see (decisions 8 and 37). */
export async function checkSeenItem({ caller, sql }: Context, itemId: string): Promise<void> {
  if (!mayConfirm(caller) && (await isUnseen(sql, caller, itemId))) fail('FORBIDDEN', 'only for who sees the item');
}
