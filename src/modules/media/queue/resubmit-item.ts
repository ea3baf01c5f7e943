import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { allowOnly, userToken } from '../../../kernel/declare/policy/policy-error.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import type { ApprovalItemType } from '../approval/approval-state.js';
import { afterResubmission } from '../approval/approval-steps.js';
import { cancelApprovals } from '../approval/cancel-approvals.js';
import { changeApproval, type StatusSource } from '../approval/change-approval.js';
import { canConfirm } from '../approval/confirmers.js';
import { itemTypes } from './item-types.js';
import { requiredApprovals } from './required-approvals.js';

/** Throws FORBIDDEN unless the caller is the owner, an admin or a platform. Throws NOT_FOUND for callers who cannot see the item. */
function checkSubmitter({ caller }: Context, type: ApprovalItemType, id: string, ownerId: string | null): void {
  const { user } = caller;
  if (!user || user.id === ownerId || requiredApprovals(user) === 0) return;
  if (canConfirm(caller)) allowOnly(userToken('of the owner of the item'));
  fail('NOT_FOUND', `no ${optionsOf(itemTypes[type].record).one} with the id ${id}`);
}

/** Resubmits a declined item. It becomes pending, without approvals and without the reason for the decline. */
export const resubmitItem = (context: Context, type: ApprovalItemType, id: string): Promise<StatusSource> =>
  changeApproval(context, type, id, async (item) => {
    checkSubmitter(context, type, id, await item.ownerOf());
    const next = afterResubmission(item);
    await cancelApprovals(context, type, id, 'all');
    return { ...next, declinedAt: null, declineReason: null };
  });
