import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, platform, user } from '../../kernel/declare/policy.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { create } from '../../kernel/write/save.js';
import { ApprovalComment } from './approval-comment.js';
import { changeComment, checkComment, commentOf, deleteComment } from './own-comment.js';
import { checkSeenItem } from './seen-items.js';

const ofItem = { nullable: true, description: 'Only when it is a comment on this item.' };

/** Comments on items in the approval flow (section 4.6). */
@Resolver()
export class CommentResolver {
  @Query(() => ApprovalComment, { nullable: true, description: 'One comment by its id; null when there is none.' })
  @allow(platform, user)
  approvalComment(
    @Arg('id', () => ID, { description: 'Id of the comment.' }) id: string,
    @Arg('itemId', () => ID, ofItem) itemId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<ApprovalComment> | null> {
    return commentOf(context, id, itemId, columnsWanted(ApprovalComment, info));
  }

  @Mutation(() => ApprovalComment, { description: 'Writes a comment on an item.' })
  @writes(ApprovalComment)
  async createApprovalComment(
    @Arg('itemId', () => ID, { description: 'Id of the item.' }) itemId: string,
    @Arg('content', () => String, { description: 'The text, at most 65,536 characters.' }) content: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<ApprovalComment>> {
    await checkSeenItem(context, itemId);
    const { user, platform } = context.caller;
    const author = user ? { authorId: user.id } : { platformId: platform?.id ?? null };
    const set = { itemId, content: checkComment(content), ...author };
    return create(context, ApprovalComment, {}, columnsWanted(ApprovalComment, info), set);
  }

  @Mutation(() => ApprovalComment, {
    description: 'Changes the text of a comment: its author, or who confirms content; NOT_FOUND for an unknown id.',
  })
  @writes(ApprovalComment)
  updateApprovalComment(
    @Arg('id', () => ID, { description: 'Id of the comment.' }) id: string,
    @Arg('itemId', () => ID, ofItem) itemId: string | null,
    @Arg('content', () => String, { description: 'The text, at most 65,536 characters.' }) content: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<ApprovalComment>> {
    return changeComment(context, id, itemId, content, columnsWanted(ApprovalComment, info));
  }

  @Mutation(() => ApprovalComment, {
    description: 'Deletes a comment and returns it as it was: its author, or who confirms content; NOT_FOUND for an unknown id.',
  })
  @writes(ApprovalComment)
  deleteApprovalComment(
    @Arg('id', () => ID, { description: 'Id of the comment.' }) id: string,
    @Arg('itemId', () => ID, ofItem) itemId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<ApprovalComment>> {
    return deleteComment(context, id, itemId, columnsWanted(ApprovalComment, info));
  }
}
