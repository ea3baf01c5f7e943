import type { Context } from '../../kernel/declare/context.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import type { Row } from '../../kernel/session.js';
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
): Promise<Row | null> {
  const comment = await loaders.one(ApprovalComment, [...columns, 'itemId'], id);
  return itemId === undefined || itemId === null || comment?.itemId === itemId ? comment : null;
}

/** Lets pass whoever may change a comment: its author, and who confirms content. */
export async function ownComment(context: Context, id: string, itemId: string | null): Promise<void> {
  const comment = await commentOf(context, id, itemId, ['authorId']);
  if (!comment) fail('NOT_FOUND', `no approvalComment with the id ${id}`);
  const { caller } = context;
  if (!mayConfirm(caller) && comment.authorId !== caller.user?.id)
    fail('FORBIDDEN', 'only for the author of the comment, or a user with CONTENT_CONFIRMER');
}
