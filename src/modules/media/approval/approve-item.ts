import { uuidv7 } from 'uuidv7';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { databaseNow } from '../../../kernel/write/touch.js';
import { requiredApprovals } from '../queue/required-approvals.js';
import { announceApproval } from './announce-approval.js';
import { Approval } from './approval.js';
import type { ApprovalItemType } from './approval-state.js';
import { afterApproval, afterCancellation, needsApproval } from './approval-steps.js';
import { callerIds, cancelApprovals } from './cancel-approvals.js';
import { changeApproval, type StatusSource } from './change-approval.js';

/** Creates the caller's approval of a locked item. Returns false if it already exists. */
async function createApproval(context: Context, type: ApprovalItemType, id: string): Promise<boolean> {
  const { em } = context.sql;
  const [approvedById, approvedByPlatformId] = callerIds(context);
  const values = { itemType: type, itemId: id, approvedById, approvedByPlatformId };
  if (await em.findOne(Approval, { ...values, canceledAt: null })) return false;
  em.create(Approval, { id: uuidv7(), ...values, approvedAt: databaseNow() });
  return true;
}

/** Throws FORBIDDEN if the caller owns the item, unless they are an admin. Items of admins need no approvals. */
function rejectOwnItem({ caller: { user } }: Context, ownerId: string | null): void {
  if (user && user.id === ownerId && requiredApprovals(user) !== 0) fail('FORBIDDEN', 'users cannot approve their own items');
}

/** Adds the caller's approval, at most once. The item becomes approved once it has all required approvals. */
export const approveItem = (context: Context, type: ApprovalItemType, id: string): Promise<StatusSource> =>
  changeApproval(context, type, id, async (item) => {
    const ownerId = await item.ownerOf();
    rejectOwnItem(context, ownerId);
    if (!needsApproval(item) || !(await createApproval(context, type, id))) return {};
    const next = afterApproval(item);
    await announceApproval(context, { ...item, ...next }, ownerId);
    return next;
  });

/** Whether the caller cancels the approvals of all callers: platforms without a user token, admins and super admins do (decision 65). */
const cancelsAll = ({ caller: { user } }: Context): boolean => !user || requiredApprovals(user) === 0;

/** Cancels all approvals of an item, or only those of the caller. Throws CONFLICT if nothing changes. */
export const unapproveItem = (context: Context, type: ApprovalItemType, id: string): Promise<StatusSource> =>
  changeApproval(context, type, id, async (item) => {
    const includesOthers = cancelsAll(context);
    const canceledCount = await cancelApprovals(context, type, id, includesOthers ? 'all' : 'own');
    const next = afterCancellation(item, canceledCount);
    if (!includesOthers && canceledCount === 0) fail('CONFLICT', 'the caller has not approved the item');
    if (canceledCount === 0 && next.state === item.state) fail('CONFLICT', 'the item has no approvals to cancel');
    return next;
  });
