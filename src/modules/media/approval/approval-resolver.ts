import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allow, platform, user } from '../../../kernel/declare/policy/policy.js';
import { approveItem, declineItem, resubmitItem, unapproveItem } from './approval-actions.js';
import { ApprovalItemType, ApprovalStatus } from './approval-status.js';
import type { StatusSource } from './change-approval.js';
import { confirmerPolicies } from './confirmers.js';

/** Mutations of the approval flow (sections 3 and 4.7). */
@Resolver()
export class ApprovalResolver {
  @Mutation(() => ApprovalStatus, {
    description:
      'Adds an approval to an item on behalf of the signed-in user, or of the platform if the request has no user token. The item becomes approved once it has all required approvals. No effect if the caller has already approved the item, or if the item is already approved. FORBIDDEN: the caller owns the item and is not an admin. CONFLICT: the item was declined. NOT_FOUND: unknown item.',
  })
  @allow(confirmerPolicies)
  approveItem(
    @Arg('id', () => ID, { description: 'ID of the item.' }) id: string,
    @Arg('type', () => ApprovalItemType, { description: 'Type of the item.' }) type: ApprovalItemType,
    @Ctx() context: Context,
  ): Promise<StatusSource> {
    return approveItem(context, type, id);
  }

  @Mutation(() => ApprovalStatus, {
    description:
      'Cancels approvals of an item. Platforms without a user token, users with the role ADMIN and super admins cancel all approvals. Other callers cancel only their own approvals. With `keepsOthers`, every caller cancels only their own approvals. An item without enough approvals becomes pending again. An item that required no approval then requires one. CONFLICT: there is no approval to cancel, or the item was declined. NOT_FOUND: unknown item.',
  })
  @allow(confirmerPolicies)
  unapproveItem(
    @Arg('id', () => ID, { description: 'ID of the item.' }) id: string,
    @Arg('type', () => ApprovalItemType, { description: 'Type of the item.' }) type: ApprovalItemType,
    @Arg('keepsOthers', () => Boolean, { defaultValue: false, description: 'Whether the approvals of other callers are kept.' })
    keepsOthers: boolean,
    @Ctx() context: Context,
  ): Promise<StatusSource> {
    return unapproveItem(context, type, id, keepsOthers);
  }

  @Mutation(() => ApprovalStatus, {
    description:
      'Declines a pending user image or biography. Stores the time and the reason, and adds the reason as a comment with `isDecline` set. CONFLICT: the item is not pending. NOT_FOUND: unknown item.',
  })
  @allow(confirmerPolicies)
  declineItem(
    @Arg('id', () => ID, { description: 'ID of the item.' }) id: string,
    @Arg('type', () => ApprovalItemType, { description: 'Type of the item. Only USER_IMAGE and BIOGRAPHY can be declined.' })
    type: ApprovalItemType,
    @Arg('reason', () => String, { description: 'Reason shown to the owner of the item. 1 to 10,000 characters, not blank.' })
    reason: string,
    @Ctx() context: Context,
  ): Promise<StatusSource> {
    return declineItem(context, type, id, reason);
  }

  @Mutation(() => ApprovalStatus, {
    description:
      'Submits a declined user image or biography again. The item becomes pending without approvals. The time of the decline and its reason are removed. Only the owner of the item, admins and platforms can submit it again. CONFLICT: the item was not declined. NOT_FOUND: unknown item.',
  })
  @allow(platform, user)
  resubmitItem(
    @Arg('id', () => ID, { description: 'ID of the item.' }) id: string,
    @Arg('type', () => ApprovalItemType, { description: 'Type of the item. Only USER_IMAGE and BIOGRAPHY can be declined.' })
    type: ApprovalItemType,
    @Ctx() context: Context,
  ): Promise<StatusSource> {
    return resubmitItem(context, type, id);
  }
}
