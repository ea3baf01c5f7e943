import type { Context } from '../../kernel/declare/context.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import { now } from '../../kernel/declare/instant.js';
import { metaOf } from '../../kernel/declare/meta.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { removed, saved } from '../../kernel/write/entities.js';
import { checkedColumns } from '../../kernel/write/input-values.js';
import { lockSeen } from '../../kernel/write/lock-seen.js';
import { ApprovalComment } from './approval-comment.js';
import { mayConfirm } from './confirmers.js';

/** The text of a comment; BAD_INPUT for an empty one. */
export const checkComment = (content: string): string => content || reject('content', 'some text');

/** A comment, null when there is none, or none on that item. */
export async function commentOf(
  { loaders }: Context,
  id: string,
  itemId: string | null | undefined,
  columns: readonly string[],
): Promise<RowOf<ApprovalComment> | null> {
  const comment = await loaders.one(ApprovalComment, [...columns, 'itemId'], id);
  return itemId === undefined || itemId === null || comment?.itemId === itemId ? comment : null;
}

/** A comment that the caller may change, locked: their own, or any for who confirms content. */
async function lockComment(context: Context, id: string, itemId: string | null): Promise<ApprovalComment> {
  const { caller } = context;
  const comment = await lockSeen(context, ApprovalComment, id);
  if (!comment || (itemId ?? comment.itemId) !== comment.itemId) return fail('NOT_FOUND', `no approvalComment with the id ${id}`);
  if (!mayConfirm(caller) && comment.authorId !== caller.user?.id)
    fail('FORBIDDEN', 'only for the author of the comment, or a user with CONTENT_CONFIRMER');
  return comment;
}

/** Changes the text of a comment. */
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
    return saved(context, Object.assign(comment, checkedColumns(metaOf(ApprovalComment), changes)), returning);
  });

/** Deletes a comment and returns it as it was. */
export const deleteComment = (
  context: Context,
  id: string,
  itemId: string | null,
  returning: readonly string[],
): Promise<RowOf<ApprovalComment>> =>
  context.sql.transaction(async () => removed(context, await lockComment(context, id, itemId), returning));
