import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { legacyArgumentName } from '../../../kernel/declare/fields/legacy-fields.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { allow, platform, user } from '../../../kernel/declare/policy/policy.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { lockVisibleEntity, removeEntity, saveEntity } from '../../../kernel/write/entities.js';
import { checkedColumns } from '../../../kernel/write/input-values.js';
import { create } from '../../../kernel/write/save.js';
import { ApprovalComment } from './approval-comment.js';
import { callerIds } from './change-approval.js';
import { checkItemVisible } from './comment-visibility.js';
import { canConfirm } from './confirmers.js';

/** Returns the text of a comment. Throws BAD_INPUT for empty text. Blank text is valid only with `acceptsLegacyValues`. */
function checkComment(content: string, acceptsLegacyValues: boolean): string {
  if (content === '') reject('content', 'a non-empty string');
  return acceptsLegacyValues || content.trim() !== '' ? content : reject('content', 'a non-blank string');
}

/** Finds a comment by ID. Returns null if no comment has the ID, or if the comment is about an item other than `itemId`. */
async function findComment(
  { loaders }: Context,
  id: string,
  itemId: string | null | undefined,
  columns: readonly string[],
): Promise<RowOf<ApprovalComment> | null> {
  const comment = await loaders.loadRow(ApprovalComment, [...columns, 'itemId'], id);
  return itemId === undefined || itemId === null || comment?.itemId === itemId ? comment : null;
}

/**
 * Locks a comment. Throws NOT_FOUND if the caller cannot see the comment, or if the comment is about an item other than `itemId`. Throws
 * FORBIDDEN if the comment is a decline, or if the caller is neither its author nor a confirmer.
 */
async function lockComment(context: Context, id: string, itemId: string | null): Promise<ApprovalComment> {
  const { caller } = context;
  const comment = await lockVisibleEntity(context, ApprovalComment, id);
  if (!comment || (itemId ?? comment.itemId) !== comment.itemId) return fail('NOT_FOUND', `no approvalComment with the id ${id}`);
  if (!canConfirm(caller) && comment.authorId !== caller.user?.id)
    fail('FORBIDDEN', 'only for the author of the comment, or a user with CONTENT_CONFIRMER');
  if (comment.isDecline) fail('FORBIDDEN', 'declines cannot be changed or deleted');
  return comment;
}

/** Changes the text of a comment. Throws NOT_FOUND if the comment does not exist, and FORBIDDEN if the caller may not change it. */
const changeComment = (
  context: Context,
  id: string,
  itemId: string | null,
  content: string,
  acceptsLegacyValues: boolean,
  returning: readonly string[],
): Promise<RowOf<ApprovalComment>> =>
  context.sql.transaction(async () => {
    const comment = await lockComment(context, id, itemId);
    const changes = { content: checkComment(content, acceptsLegacyValues), modifiedAt: now() };
    return saveEntity(context, Object.assign(comment, checkedColumns(metaOf(ApprovalComment), changes)), returning);
  });

/** Deletes a comment and returns it. Throws NOT_FOUND if the comment does not exist, and FORBIDDEN if the caller may not delete it. */
export const deleteComment = (
  context: Context,
  id: string,
  itemId: string | null,
  returning: readonly string[],
): Promise<RowOf<ApprovalComment>> =>
  context.sql.transaction(async () => removeEntity(context, await lockComment(context, id, itemId), returning));

const legacyArgumentOptions = { defaultValue: false, description: 'Whether to accept blank text, as `/v1` does.' };
const itemIdOptions = {
  nullable: true,
  description: 'ID of the item that the comment must belong to. NOT_FOUND if it belongs to another item.',
};

/** Comments on items in the approval flow (section 4.6). */
@Resolver()
export class CommentResolver {
  @Query(() => ApprovalComment, { nullable: true, description: 'Comment with the given ID. Null if not found.' })
  @allow(platform, user)
  approvalComment(
    @Arg('id', () => ID, { description: 'ID of the comment.' }) id: string,
    @Arg('itemId', () => ID, itemIdOptions) itemId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<ApprovalComment> | null> {
    return findComment(context, id, itemId, selectedColumns(ApprovalComment, info));
  }

  @Mutation(() => ApprovalComment, { description: 'Creates a comment on an item. FORBIDDEN: the caller cannot see the item.' })
  @allowWriters(ApprovalComment)
  async createApprovalComment(
    @Arg('itemId', () => ID, { description: 'ID of the item.' }) itemId: string,
    @Arg('content', () => String, { description: 'Text of the comment, 1 to 65,536 characters, not blank.' }) content: string,
    @Arg(legacyArgumentName, () => Boolean, legacyArgumentOptions) acceptsLegacyValues: boolean,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<ApprovalComment>> {
    await checkItemVisible(context, itemId);
    const [authorId, platformId] = callerIds(context);
    const fixedValues = { itemId, content: checkComment(content, acceptsLegacyValues), authorId, platformId };
    return create(context, ApprovalComment, {}, selectedColumns(ApprovalComment, info), fixedValues);
  }

  @Mutation(() => ApprovalComment, {
    description:
      'Changes the text of a comment. Users can change only their own comments, unless they have the role CONTENT_CONFIRMER. NOT_FOUND: unknown ID.',
  })
  @allowWriters(ApprovalComment)
  updateApprovalComment(
    @Arg('id', () => ID, { description: 'ID of the comment.' }) id: string,
    @Arg('itemId', () => ID, itemIdOptions) itemId: string | null,
    @Arg('content', () => String, { description: 'Text of the comment, 1 to 65,536 characters, not blank.' }) content: string,
    @Arg(legacyArgumentName, () => Boolean, legacyArgumentOptions) acceptsLegacyValues: boolean,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<ApprovalComment>> {
    return changeComment(context, id, itemId, content, acceptsLegacyValues, selectedColumns(ApprovalComment, info));
  }

  @Mutation(() => ApprovalComment, {
    description:
      'Deletes a comment. Returns the deleted comment. Users can delete only their own comments, unless they have the role CONTENT_CONFIRMER. NOT_FOUND: unknown ID.',
  })
  @allowWriters(ApprovalComment)
  deleteApprovalComment(
    @Arg('id', () => ID, { description: 'ID of the comment.' }) id: string,
    @Arg('itemId', () => ID, itemIdOptions) itemId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<ApprovalComment>> {
    return deleteComment(context, id, itemId, selectedColumns(ApprovalComment, info));
  }
}
