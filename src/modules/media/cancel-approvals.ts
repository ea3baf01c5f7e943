import type { Context } from '../../kernel/declare/context.js';
import { databaseNow } from '../../kernel/write/touch.js';
import { Approval } from './approval.js';
import type { ApprovalItemType } from './approval-state.js';

/** The user who acts, or without one the platform (decision 22). */
export const actor = ({ caller: { user, platform } }: Context): [userId: string | null, platformId: string | null] =>
  user ? [user.id, null] : [null, platform?.id ?? null];

/** Cancels approvals of a locked item, all of them or the caller's own; they stay in its history. How many there were. */
export async function cancelApprovals(
  context: Context,
  type: ApprovalItemType,
  id: string,
  whose: 'all' | 'own',
): Promise<number> {
  const [userId, platformId] = actor(context);
  const given = whose === 'own' ? { approvedById: userId, approvedByPlatformId: platformId } : {};
  const approvals = await context.sql.em.find(Approval, { itemType: type, itemId: id, canceledAt: null, ...given });
  for (const approval of approvals) {
    approval.canceledAt = databaseNow();
    approval.canceledById = userId;
    approval.canceledByPlatformId = platformId;
  }
  return approvals.length;
}
