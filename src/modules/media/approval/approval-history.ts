import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import type { RecordClass } from '../../../kernel/declare/meta.js';
import { allow, platform, user } from '../../../kernel/declare/policy/policy.js';
import type { ListArgs } from '../../../kernel/read/list.js';
import { withoutRows } from '../../../kernel/read/paging/page-args.js';
import { listSelectionOf } from '../../../kernel/read/select.js';
import { type Connection, connectionOf, resolveConnection } from '../../../kernel/serve/connection.js';
import { ListArguments } from '../../../kernel/serve/list-arguments.js';
import { itemTypeOf } from '../queue/item-types.js';
import { Approval } from './approval.js';
import { ApprovalComment } from './approval-comment.js';
import { ApprovalStatus } from './approval-status.js';
import type { StatusSource } from './change-approval.js';

async function loadConnection(
  cls: RecordClass,
  { $id }: StatusSource,
  args: ListArgs,
  { loaders }: Context,
  info: GraphQLResolveInfo,
): Promise<Connection> {
  const requestedList = listSelectionOf(cls, info);
  const page = await loaders.loadPage(cls, 'itemId', $id, requestedList.rows ? args : withoutRows(args), requestedList);
  return resolveConnection(page, loaders, cls, args, 'itemId', $id);
}

/** Approvals and comments of an item. */
@Resolver(() => ApprovalStatus)
export class ApprovalHistory {
  @FieldResolver(() => connectionOf(Approval), {
    description: 'Approvals of the item, including canceled ones.',
  })
  @allow(platform, user)
  approvals(
    @ListArguments(Approval) args: ListArgs,
    @Root() status: StatusSource,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection> {
    const typeFilter = { itemType: { eq: itemTypeOf(status.$type) } };
    // Added last, so error paths match the filter that the client sent.
    const { filter } = args;
    const filterWithType = { ...filter, and: [...(Array.isArray(filter?.and) ? filter.and : []), typeFilter] };
    return loadConnection(Approval, status, { ...args, filter: filterWithType }, context, info);
  }

  @FieldResolver(() => connectionOf(ApprovalComment), {
    description: 'Comments on the item.',
  })
  @allow(platform, user)
  comments(
    @ListArguments(ApprovalComment) args: ListArgs,
    @Root() status: StatusSource,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection> {
    return loadConnection(ApprovalComment, status, args, context, info);
  }
}
