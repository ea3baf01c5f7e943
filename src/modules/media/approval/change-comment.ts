import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import type { RowOf } from '../../../kernel/declare/row-of.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { removeEntity, saveEntity } from '../../../kernel/write/entities.js';
import { checkedColumns } from '../../../kernel/write/input-values.js';
import { lockVisible } from '../../../kernel/write/lock-visible.js';
import { ApprovalComment } from './approval-comment.js';
import { canConfirm } from './confirmers.js';

/** Returns the text of a comment. Throws BAD_INPUT if it is empty. */
export const checkComment = (content: string): string => content || reject('content', 'a non-empty string');

/** Finds a comment by ID. Null if there is none, or if it is about a different item than `itemId`. */
export async function findComment(
  { loaders }: Context,
  id: string,
  itemId: string | null | undefined,
  columns: readonly string[],
): Promise<RowOf<ApprovalComment> | null> {
  const comment = await loaders.loadRow(ApprovalComment, [...columns, 'itemId'], id);
  return itemId === undefined || itemId === null || comment?.itemId === itemId ? comment : null;
}

/** Locks a comment. Throws FORBIDDEN unless the caller is its author or a confirmer. */
async function lockComment(context: Context, id: string, itemId: string | null): Promise<ApprovalComment> {
  const { caller } = context;
  const comment = await lockVisible(context, ApprovalComment, id);
  if (!comment || (itemId ?? comment.itemId) !== comment.itemId) return fail('NOT_FOUND', `no approvalComment with the id ${id}`);
  if (!canConfirm(caller) && comment.authorId !== caller.user?.id)
    fail('FORBIDDEN', 'only for the author of the comment, or a user with CONTENT_CONFIRMER');
  return comment;
}

/** Changes the text of a comment. Throws NOT_FOUND and FORBIDDEN. */
export const changeComment = (
  context: Context,
  id: string,
  itemId: string | null,
  content: string,
  returning: readonly string[],
): Promise<RowOf<ApprovalComment>> =>
  context.sql.transaction(async () => {
    const comment = await lockComment(context, id, itemId);
    const changes = { content: checkComment(content), modifiedAt: now() };
    return saveEntity(context, Object.assign(comment, checkedColumns(metaOf(ApprovalComment), changes)), returning);
  });

/** Deletes a comment and returns it. Throws NOT_FOUND and FORBIDDEN. */
export const deleteComment = (
  context: Context,
  id: string,
  itemId: string | null,
  returning: readonly string[],
): Promise<RowOf<ApprovalComment>> =>
  context.sql.transaction(async () => removeEntity(context, await lockComment(context, id, itemId), returning));
