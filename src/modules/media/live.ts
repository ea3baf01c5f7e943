import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Change } from '../../kernel/changes/index.js';
import { platformIdOf } from '../../kernel/declare/caller.js';
import type { Context } from '../../kernel/declare/context.js';
import { changeEvent, type EventSource } from '../../kernel/serve/change-types.js';
import { liveRoot } from '../../kernel/serve/live.js';
import { type NodeRow, subjectOf } from '../../kernel/serve/subjects.js';
import { Approval } from './approval.js';
import { ApprovalItem } from './approval-item.js';
import { ApprovalItemType } from './approval-state.js';
import { confirmer } from './confirmers.js';
import { itemTypeOf, itemTypes } from './item-types.js';
import { waitingAmong } from './waits-for-sql.js';

@changeEvent('ApprovalItemChange', 'A change of what waits, or waited, for the approval of the viewer.')
class ApprovalItemChange {}

interface Item {
  readonly type: ApprovalItemType;
  readonly id: string;
}

/** The item that a change is about: itself, or the one to which an approval was given. */
async function itemOf({ record, id }: Change, { loaders }: Context): Promise<Item | null> {
  if (record !== Approval.name) return { type: itemTypeOf(record), id };
  const approval = await loaders.one(Approval, ['itemType', 'itemId'], id);
  return approval && { type: approval.itemType, id: approval.itemId };
}

const isWaiting = async (context: Context, { type, id }: Item): Promise<boolean> =>
  (await waitingAmong(context, type, [id])).has(id);

@Resolver(() => ApprovalItemChange)
class ItemOfChange {
  @FieldResolver(() => ApprovalItemType, {
    nullable: true,
    description: 'What kind of item it is; null where all has to be read anew, and where an approval is gone.',
  })
  async itemType(@Root() { change }: EventSource, @Ctx() context: Context): Promise<ApprovalItemType | null> {
    return (change && (await itemOf(change, context)))?.type ?? null;
  }

  @FieldResolver(() => Boolean, {
    nullable: true,
    description:
      'It waits for the viewer now; false where it does not any more, and is to be taken off what is shown. Null where all has to be read anew.',
  })
  async isWaiting(@Root() { change }: EventSource, @Ctx() context: Context): Promise<boolean | null> {
    const item = change && (await itemOf(change, context));
    return item && isWaiting(context, item);
  }

  @FieldResolver(() => ApprovalItem, { nullable: true, description: 'The item as it is now; null where it is gone.' })
  async item(
    @Root() { change }: EventSource,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<NodeRow | null> {
    const item = change && (await itemOf(change, context));
    return item && subjectOf(context, itemTypes[item.type].record, item.id, info);
  }
}

/** Whether a change takes an item off the queue of a caller, or may do so: a decision about it, or their own approval. */
const mayEndWaiting = ({ record, kind, fields, by }: Change, { caller }: Context): boolean => {
  if (record !== Approval.name) return kind === 'DELETED' || fields.includes('approval.state');
  // As the queue has it: the user counts, or without one the platform.
  return caller.user ? by.userId === caller.user.id : by.userId === null && by.platformId === platformIdOf(caller);
};

/** What waits for the viewer's approval, as it comes and goes. */
const liveApprovals = liveRoot({
  name: 'approvals',
  type: () => ApprovalItemChange,
  description:
    'What waits for the approval of the viewer, as it comes and goes: sponsors, images of sponsors, images and biographies of users. `User.pendingApprovals` has what waits already.',
  policies: [confirmer],
  topics: () => [Approval.name, ...Object.values(itemTypes).map(({ record }) => record.name)],
  concerns: async (change, _, context) => {
    if (mayEndWaiting(change, context)) return true;
    const item = await itemOf(change, context);
    return item !== null && isWaiting(context, item);
  },
});

export const liveOfApprovals = [liveApprovals, ItemOfChange];
