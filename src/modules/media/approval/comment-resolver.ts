import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allow, platform, user } from '../../../kernel/declare/policy/policy.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../../kernel/declare/row-of.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { create } from '../../../kernel/write/save.js';
import { ApprovalComment } from './approval-comment.js';
import { changeComment, checkComment, deleteComment, findComment } from './change-comment.js';
import { checkItemVisible } from './comment-visibility.js';

const itemIdOptions = { nullable: true, description: 'ID of the item. If set, comments on other items are not found.' };

/** Comments on items in the approval flow (section 4.6). */
@Resolver()
export class CommentResolver {
  @Query(() => ApprovalComment, { nullable: true, description: 'Comment with an ID. Null if not found.' })
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
    @Arg('content', () => String, { description: 'Text of the comment, 1 to 65,536 characters.' }) content: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<ApprovalComment>> {
    await checkItemVisible(context, itemId);
    const { user, platform } = context.caller;
    const author = user ? { authorId: user.id } : { platformId: platform?.id ?? null };
    const fixedValues = { itemId, content: checkComment(content), ...author };
    return create(context, ApprovalComment, {}, selectedColumns(ApprovalComment, info), fixedValues);
  }

  @Mutation(() => ApprovalComment, {
    description:
      'Changes the text of a comment. For its author and users with the role CONTENT_CONFIRMER. NOT_FOUND: unknown ID.',
  })
  @allowWriters(ApprovalComment)
  updateApprovalComment(
    @Arg('id', () => ID, { description: 'ID of the comment.' }) id: string,
    @Arg('itemId', () => ID, itemIdOptions) itemId: string | null,
    @Arg('content', () => String, { description: 'Text of the comment, 1 to 65,536 characters.' }) content: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<ApprovalComment>> {
    return changeComment(context, id, itemId, content, selectedColumns(ApprovalComment, info));
  }

  @Mutation(() => ApprovalComment, {
    description:
      'Deletes a comment. Returns the deleted comment. For its author and users with the role CONTENT_CONFIRMER. NOT_FOUND: unknown ID.',
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
