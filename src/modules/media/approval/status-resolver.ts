import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, ID, Info, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { type RecordClass, recordNamed } from '../../../kernel/declare/meta.js';
import { nodeIdOf } from '../../../kernel/declare/node.js';
import { allow, platform, user } from '../../../kernel/declare/policy/policy.js';
import type { ListArgs } from '../../../kernel/read/list.js';
import { withoutRows } from '../../../kernel/read/paging/page-args.js';
import type { PolymorphicTargets } from '../../../kernel/read/relations/polymorphic.js';
import { listSelectionOf } from '../../../kernel/read/select.js';
import { ListArguments } from '../../../kernel/serve/arguments.js';
import { type ConnectionSource, connectionOf, resolveConnection } from '../../../kernel/serve/connection.js';
import { type NodeRow, readTypedRow } from '../../../kernel/serve/nodes.js';
import { polymorphicRelation } from '../../../kernel/serve/relations.js';
import { itemTypeOf, itemTypes } from '../queue/item-types.js';
import { Approval } from './approval.js';
import { ApprovalComment } from './approval-comment.js';
import { ApprovalItem } from './approval-item.js';
import { ApprovalStatus } from './approval-status.js';
import type { StatusSource } from './change-approval.js';

const nullDescription = 'Null if the item was deleted or the caller cannot see it.';

async function loadConnection(
  cls: RecordClass,
  { $id }: StatusSource,
  args: ListArgs,
  { loaders }: Context,
  info: GraphQLResolveInfo,
): Promise<ConnectionSource> {
  const listSelection = listSelectionOf(cls, info);
  const page = await loaders.loadPage(cls, 'itemId', $id, listSelection.rows ? args : withoutRows(args), listSelection);
  return resolveConnection(page, loaders, cls, args, 'itemId', $id);
}

/** Fields of an approval status: its item, and the approvals and comments of the item. */
@Resolver(() => ApprovalStatus)
export class StatusResolver {
  @FieldResolver(() => connectionOf(Approval), {
    description: 'Approvals of the item, including canceled ones.',
  })
  @allow(platform, user)
  approvals(
    @ListArguments(Approval) args: ListArgs,
    @Root() status: StatusSource,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ConnectionSource> {
    const typeFilter = { itemType: { eq: itemTypeOf(status.$type) } };
    // This condition is added last, so that error paths match the filter that the client sent.
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
  ): Promise<ConnectionSource> {
    return loadConnection(ApprovalComment, status, args, context, info);
  }

  @FieldResolver(() => ID, { description: 'Globally unique ID, equal to the `nodeId` of the item.' })
  id(@Root() { $type, $id }: StatusSource): string {
    return nodeIdOf($type, $id);
  }

  @FieldResolver(() => ApprovalItem, { nullable: true, description: `Item that has this status. ${nullDescription}` })
  item(@Root() { $type, $id }: StatusSource, @Ctx() context: Context, @Info() info: GraphQLResolveInfo): Promise<NodeRow | null> {
    return readTypedRow(context, recordNamed($type), $id, info);
  }
}

const items: PolymorphicTargets = {
  name: ApprovalItem.name,
  type: ApprovalItem,
  records: Object.fromEntries(Object.entries(itemTypes).map(([type, { record }]) => [type, record])),
};

export const itemRelations = [
  polymorphicRelation(Approval, 'item', { kind: 'itemType', id: 'itemId' }, items, `Approved item. ${nullDescription}`),
  polymorphicRelation(ApprovalComment, 'item', { id: 'itemId' }, items, `Item that the comment is about. ${nullDescription}`),
];
