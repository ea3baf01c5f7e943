import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { expression, parameter } from '../../../kernel/declare/expression.js';
import type { RecordOptions } from '../../../kernel/declare/fields/options.js';
import { hiddenItemIds, isItemHidden, visibleItemIds } from '../queue/item-ids-sql.js';
import { canConfirm } from './confirmers.js';

/**
 * Returns the SQL condition for visible comments. Confirmers see all comments. Other callers see their own comments. They also see all
 * comments except declines, if the item is visible to them or does not exist.
 */
export const isCommentVisible: NonNullable<RecordOptions['visibleCondition']> = (caller, row) =>
  canConfirm(caller)
    ? null
    : expression`(${row}.author_id = ${parameter(caller.user?.id ?? '')} or not ${row}.is_decline and ${row}.item_id not in (${hiddenItemIds(caller, row)}))`;

/**
 * Returns the SQL condition for deleted comments that were visible to the caller. If the item has also been deleted, only the author and
 * confirmers see the comment.
 */
export const wasCommentVisible: NonNullable<RecordOptions['visibleCondition']> = (caller, row) =>
  canConfirm(caller)
    ? null
    : expression`(${row}.author_id = ${parameter(caller.user?.id ?? '')} or ${row}.item_id in (${visibleItemIds(caller, row)}))`;

/** Throws FORBIDDEN if the item exists and the caller cannot see it (decisions 8 and 37). */
export async function checkItemVisible({ caller, sql }: Context, itemId: string): Promise<void> {
  if (!canConfirm(caller) && (await isItemHidden(sql, caller, itemId)))
    fail('FORBIDDEN', 'only for callers who can see the item');
}
