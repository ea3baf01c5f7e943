import { uuidv7 } from 'uuidv7';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { databaseNow } from '../../kernel/write/touch.js';
import { announceApproval } from './announce.js';
import { Approval } from './approval.js';
import type { ApprovalItemType } from './approval-state.js';
import { approved, needsApproval, unapproved } from './approval-steps.js';
import { actor, cancelApprovals } from './cancel-approvals.js';
import { changeApproval, type Status } from './change-approval.js';
import { approvalsNeeded } from './required-approvals.js';

/** Writes the caller's approval of a locked item down, unless there is one already; whether it was. */
async function give(context: Context, type: ApprovalItemType, id: string): Promise<boolean> {
  const { em } = context.sql;
  const [approvedById, approvedByPlatformId] = actor(context);
  const own = { itemType: type, itemId: id, approvedById, approvedByPlatformId };
  if (await em.findOne(Approval, { ...own, canceledAt: null })) return false;
  em.create(Approval, { id: uuidv7(), ...own, approvedAt: databaseNow() });
  return true;
}

/** Nobody's approval counts for what is their own; admins need none in any case. */
function refuseOwn({ caller: { user } }: Context, ownerId: string | null): void {
  if (user && user.id === ownerId && approvalsNeeded(user) !== 0) fail('FORBIDDEN', 'nobody approves what is their own');
}

/** Counts the caller's approval, once; the item is approved when the required number is reached. */
export const approveItem = (context: Context, type: ApprovalItemType, id: string): Promise<Status> =>
  changeApproval(context, type, id, async (item) => {
    const ownerId = await item.ownerOf();
    refuseOwn(context, ownerId);
    if (!needsApproval(item) || !(await give(context, type, id))) return {};
    const next = approved(item);
    await announceApproval(context, { ...item, ...next }, ownerId);
    return next;
  });

/** Whether a caller removes the approvals of everyone: platforms without a user, admins and super admins (decision 65). */
const removesAll = ({ caller: { user } }: Context): boolean => !user || approvalsNeeded(user) === 0;

/** Removes approvals: all of them, or the caller's own. CONFLICT if that changes nothing. */
export const unapproveItem = (context: Context, type: ApprovalItemType, id: string): Promise<Status> =>
  changeApproval(context, type, id, async (item) => {
    const isAll = removesAll(context);
    const removed = await cancelApprovals(context, type, id, isAll ? 'all' : 'own');
    const next = unapproved(item, removed);
    if (!isAll && removed === 0) fail('CONFLICT', 'the caller has not approved the item');
    if (removed === 0 && next.state === item.state) fail('CONFLICT', 'the item has no approval to remove');
    return next;
  });
