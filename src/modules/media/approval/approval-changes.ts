import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Change } from '../../../kernel/changes/index.js';
import type { Context } from '../../../kernel/declare/context.js';
import { platformIdOf } from '../../../kernel/declare/policy/caller.js';
import { changeEvent, type EventSource } from '../../../kernel/serve/change-types.js';
import { subscriptionField } from '../../../kernel/serve/live-events.js';
import { type NodeRow, readTypedRow } from '../../../kernel/serve/nodes.js';
import { itemTypeOf, itemTypes } from '../queue/item-types.js';
import { Approval } from './approval.js';
import { ApprovalItem } from './approval-item.js';
import { pendingIdsFor } from './approval-queue-sql.js';
import { ApprovalItemType } from './approval-status.js';
import { confirmerPolicies } from './confirmers.js';

@changeEvent('ApprovalItemChange', 'Change to an item that needs or needed the approval of the viewer.')
class ApprovalItemChange {}

interface ItemReference {
  readonly type: ApprovalItemType;
  readonly id: string;
}

/** Returns the changed item, or the item that a changed approval belongs to. Null if the approval was deleted. */
async function itemOf({ record, id }: Change, { loaders }: Context): Promise<ItemReference | null> {
  if (record !== Approval.name) return { type: itemTypeOf(record), id };
  const approval = await loaders.loadRow(Approval, ['itemType', 'itemId'], id);
  return approval && { type: approval.itemType, id: approval.itemId };
}

const isWaiting = async (context: Context, { type, id }: ItemReference): Promise<boolean> =>
  (await pendingIdsFor(context, type, [id])).has(id);

@Resolver(() => ApprovalItemChange)
class ApprovalItemChangeFields {
  @FieldResolver(() => ApprovalItemType, {
    nullable: true,
    description: 'Type of the item. Null for `CHANGES_MISSED`, and for a change to an approval that has since been deleted.',
  })
  async itemType(@Root() { change }: EventSource, @Ctx() context: Context): Promise<ApprovalItemType | null> {
    return (change && (await itemOf(change, context)))?.type ?? null;
  }

  @FieldResolver(() => Boolean, {
    nullable: true,
    description:
      'Whether the item needs the approval of the viewer. If false, remove the item from the queue. Null for a change to an approval that has since been deleted. Also null for `CHANGES_MISSED`, after which the client must read the queue again.',
  })
  async isWaiting(@Root() { change }: EventSource, @Ctx() context: Context): Promise<boolean | null> {
    const item = change && (await itemOf(change, context));
    return item && isWaiting(context, item);
  }

  @FieldResolver(() => ApprovalItem, {
    nullable: true,
    description: 'Current state of the item. Null if the item or the changed approval was deleted, and for `CHANGES_MISSED`.',
  })
  async item(
    @Root() { change }: EventSource,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<NodeRow | null> {
    const item = change && (await itemOf(change, context));
    return item && readTypedRow(context, itemTypes[item.type].record, item.id, info);
  }
}

/** Whether a change can remove an item from the caller's queue: a deletion, a new approval state, or an approval by the caller. */
const canLeaveQueue = ({ record, kind, fields, author }: Change, { caller }: Context): boolean => {
  if (record !== Approval.name) return kind === 'DELETED' || fields.includes('approval.state');
  // As in the queue, approvals belong to the user, or to the platform if the request has no user token.
  return caller.user ? author.userId === caller.user.id : author.userId === null && author.platformId === platformIdOf(caller);
};

/** Subscription to changes in the viewer's approval queue. */
const liveApprovals = subscriptionField({
  name: 'approvals',
  type: () => ApprovalItemChange,
  description:
    'Changes to items that need the approval of the viewer: sponsors, images of sponsors, and images and biographies of users. `User.pendingApprovals` lists the current items.',
  policies: [confirmerPolicies],
  topics: () => [Approval.name, ...Object.values(itemTypes).map(({ record }) => record.name)],
  canReceive: async (change, _, context) => {
    if (canLeaveQueue(change, context)) return true;
    const item = await itemOf(change, context);
    return item !== null && isWaiting(context, item);
  },
});

export const approvalChangeResolvers = [liveApprovals, ApprovalItemChangeFields];
