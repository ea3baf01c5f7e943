import type { Context } from '../../../kernel/declare/context.js';
import { databaseNow } from '../../../kernel/write/touch.js';
import { Approval } from './approval.js';
import type { ApprovalItemType } from './approval-state.js';

/** ID of the calling user, or of the calling platform if the request has no user token (decision 22). */
export const callerIds = ({ caller: { user, platform } }: Context): [userId: string | null, platformId: string | null] =>
  user ? [user.id, null] : [null, platform?.id ?? null];

/** Cancels all approvals of a locked item, or only those of the caller. Keeps the rows as history, and returns their number. */
export async function cancelApprovals(
  context: Context,
  type: ApprovalItemType,
  id: string,
  scope: 'all' | 'own',
): Promise<number> {
  const [userId, platformId] = callerIds(context);
  const condition = scope === 'own' ? { approvedById: userId, approvedByPlatformId: platformId } : {};
  const approvals = await context.sql.em.find(Approval, { itemType: type, itemId: id, canceledAt: null, ...condition });
  for (const approval of approvals) {
    approval.canceledAt = databaseNow();
    approval.canceledById = userId;
    approval.canceledByPlatformId = platformId;
  }
  return approvals.length;
}
