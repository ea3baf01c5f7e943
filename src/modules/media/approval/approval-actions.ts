import { uuidv7 } from 'uuidv7';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { failForbidden, userTokenCredential } from '../../../kernel/declare/policy/policy-error.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { databaseNow } from '../../../kernel/write/entities.js';
import { create } from '../../../kernel/write/save.js';
import { itemTypes } from '../queue/item-types.js';
import { requiredApprovals } from '../queue/required-approvals.js';
import { Approval } from './approval.js';
import { ApprovalComment } from './approval-comment.js';
import type { ApprovalItemType } from './approval-status.js';
import { afterApproval, afterCancellation, afterDecline, afterResubmission, needsApproval } from './approval-steps.js';
import { announceApproval, callerIds, cancelApprovals, changeApproval, type StatusSource } from './change-approval.js';
import { canConfirm } from './confirmers.js';

/** Records the caller's approval of a locked item. Returns false if the caller has already approved the item. */
async function createApproval(context: Context, type: ApprovalItemType, id: string): Promise<boolean> {
  const { em } = context.sql;
  const [approvedById, approvedByPlatformId] = callerIds(context);
  const values = { itemType: type, itemId: id, approvedById, approvedByPlatformId };
  if (await em.findOne(Approval, { ...values, canceledAt: null })) return false;
  em.create(Approval, { id: uuidv7(), ...values, approvedAt: databaseNow() });
  return true;
}

/** Throws FORBIDDEN if the caller owns the item and is not an admin. Items that admins own need no approvals. */
function rejectOwnItem({ caller: { user } }: Context, ownerId: string | null): void {
  if (user && user.id === ownerId && requiredApprovals(user) !== 0) fail('FORBIDDEN', 'users cannot approve their own items');
}

/** Adds the caller's approval, at most once per caller. The item becomes approved once it has all required approvals. */
export const approveItem = (context: Context, type: ApprovalItemType, id: string): Promise<StatusSource> =>
  changeApproval(context, type, id, async (item) => {
    const ownerId = await item.ownerOf();
    rejectOwnItem(context, ownerId);
    if (!needsApproval(item) || !(await createApproval(context, type, id))) return {};
    const next = afterApproval(item);
    await announceApproval(context, { ...item, ...next }, ownerId);
    return next;
  });

/**
 * Whether the caller cancels the approvals of all callers. True for platforms without a user token, admins and super admins (decision 65).
 */
const cancelsAll = ({ caller: { user } }: Context): boolean => !user || requiredApprovals(user) === 0;

/** Cancels all approvals of an item, or only those of the caller. Throws CONFLICT if nothing changes. */
export const unapproveItem = (
  context: Context,
  type: ApprovalItemType,
  id: string,
  keepsOthers: boolean,
): Promise<StatusSource> =>
  changeApproval(context, type, id, async (item) => {
    const includesOthers = !keepsOthers && cancelsAll(context);
    const canceledCount = await cancelApprovals(context, type, id, includesOthers ? 'all' : 'own');
    const next = afterCancellation(item, canceledCount);
    if (!includesOthers && canceledCount === 0) fail('CONFLICT', 'the caller has not approved the item');
    if (canceledCount === 0 && next.state === item.state) fail('CONFLICT', 'the item has no approvals to cancel');
    return next;
  });

const maxLength = 10_000;

/**
 * Declines a pending user image or biography. Stores the reason and the time (section 3). A comment preserves both after a resubmission.
 */
export function declineItem(context: Context, type: ApprovalItemType, id: string, reason: string): Promise<StatusSource> {
  const isValidText = reason.length <= maxLength && !reason.includes('\0');
  runChecks(
    () => itemTypes[type].canBeDeclined || reject('type', 'USER_IMAGE or BIOGRAPHY'),
    () => reason.trim() !== '' || reject('reason', 'a non-blank reason'),
    () => isValidText || reject('reason', `at most ${maxLength} characters, none of them NUL`),
  );
  return changeApproval(context, type, id, async (item) => {
    const next = { ...afterDecline(item), declinedAt: now(), declineReason: reason };
    const [authorId, platformId] = callerIds(context);
    await create(context, ApprovalComment, {}, ['id'], { itemId: id, content: reason, isDecline: true, authorId, platformId });
    await announceApproval(context, { ...item, ...next }, await item.ownerOf());
    return next;
  });
}

/** Rejects users other than the owner and admins. Confirmers get FORBIDDEN, because they can see all items. Other users get NOT_FOUND. */
function checkSubmitter({ caller }: Context, type: ApprovalItemType, id: string, ownerId: string | null): void {
  const { user } = caller;
  if (!user || user.id === ownerId || requiredApprovals(user) === 0) return;
  if (canConfirm(caller)) failForbidden(userTokenCredential('of the owner of the item'));
  fail('NOT_FOUND', `no ${optionsOf(itemTypes[type].record).one} with the id ${id}`);
}

/** Resubmits a declined item. The item becomes pending. Its approvals and the reason for the decline are removed. */
export const resubmitItem = (context: Context, type: ApprovalItemType, id: string): Promise<StatusSource> =>
  changeApproval(context, type, id, async (item) => {
    checkSubmitter(context, type, id, await item.ownerOf());
    const next = afterResubmission(item);
    await cancelApprovals(context, type, id, 'all');
    return { ...next, declinedAt: null, declineReason: null };
  });
