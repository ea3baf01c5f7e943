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

/** Removes approvals: a super admin all of them, other callers their own (section 3). */
export const unapproveItem = (context: Context, type: ApprovalItemType, id: string): Promise<Status> =>
  changeApproval(context, type, id, async (item) =>
    unapproved(item, await cancelApprovals(context, type, id, context.caller.user?.isSuperAdmin ? 'all' : 'own')),
  );
