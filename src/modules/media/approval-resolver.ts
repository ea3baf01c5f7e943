import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, platform, user } from '../../kernel/declare/policy.js';
import { ApprovalItemType } from './approval-state.js';
import { ApprovalStatus } from './approval-status.js';
import { approveItem, unapproveItem } from './approve-item.js';
import type { Status } from './change-approval.js';
import { confirmer } from './confirmers.js';
import { declineItem } from './decline-item.js';
import { resubmitItem } from './resubmit-item.js';

/** The steps of the approval flow (sections 3 and 4.7). */
@Resolver()
export class ApprovalResolver {
  @Mutation(() => ApprovalStatus, {
    description:
      "Gives the caller's approval to an item: the user's, or without one the platform's. A second approval by the same caller and one of an approved item change nothing; FORBIDDEN for users whose own the item is, admins excepted, CONFLICT when the item was declined, NOT_FOUND when there is none.",
  })
  @allow(confirmer)
  approveItem(
    @Arg('id', () => ID, { description: 'Id of the item.' }) id: string,
    @Arg('type', () => ApprovalItemType, { description: 'Kind of item.' }) type: ApprovalItemType,
    @Ctx() context: Context,
  ): Promise<Status> {
    return approveItem(context, type, id);
  }

  @Mutation(() => ApprovalStatus, {
    description:
      'Removes approvals from an item. Platforms without a user token, users with the role ADMIN and super admins remove all approvals, other callers their own. An item that then lacks approvals is pending again; one that needed none needs one. CONFLICT if nothing changes: the caller has no approval of their own, or the item has none at all; also if it was declined. NOT_FOUND for an unknown item.',
  })
  @allow(confirmer)
  unapproveItem(
    @Arg('id', () => ID, { description: 'Id of the item.' }) id: string,
    @Arg('type', () => ApprovalItemType, { description: 'Kind of item.' }) type: ApprovalItemType,
    @Ctx() context: Context,
  ): Promise<Status> {
    return unapproveItem(context, type, id);
  }

  @Mutation(() => ApprovalStatus, {
    description:
      'Declines a pending user image or biography, and keeps the moment and the reason; CONFLICT when the item is not pending, NOT_FOUND when there is none.',
  })
  @allow(confirmer)
  declineItem(
    @Arg('id', () => ID, { description: 'Id of the item.' }) id: string,
    @Arg('type', () => ApprovalItemType, { description: 'USER_IMAGE or BIOGRAPHY.' }) type: ApprovalItemType,
    @Arg('reason', () => String, { description: 'Why, for its owner; 1 to 10,000 characters, not all of them blank.' })
    reason: string,
    @Ctx() context: Context,
  ): Promise<Status> {
    return declineItem(context, type, id, reason);
  }

  @Mutation(() => ApprovalStatus, {
    description:
      'Submits a declined user image or biography again. It is pending without approvals; the time and the reason of the decline are removed. For the owner of the item, and for admins and platforms. CONFLICT if it was not declined. NOT_FOUND for an unknown item.',
  })
  @allow(platform, user)
  resubmitItem(
    @Arg('id', () => ID, { description: 'ID of the item.' }) id: string,
    @Arg('type', () => ApprovalItemType, { description: 'Kind of item. Only USER_IMAGE and BIOGRAPHY can be declined.' })
    type: ApprovalItemType,
    @Ctx() context: Context,
  ): Promise<Status> {
    return resubmitItem(context, type, id);
  }
}
