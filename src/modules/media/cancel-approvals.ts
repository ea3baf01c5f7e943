import type { Context } from '../../kernel/context.js';
import type { ApprovalItemType } from './approval-state.js';

/** The user who acts, or without one the platform (decision 22). */
export const actor = ({ caller: { user, platform } }: Context): [userId: string | null, platformId: string | null] =>
  user ? [user.id, null] : [null, platform?.id ?? null];

/** Cancels approvals, all of an item or the caller's own; they stay in its history. How many there were. */
export async function cancelApprovals(
  context: Context,
  type: ApprovalItemType,
  id: string,
  whose: 'all' | 'own',
): Promise<number> {
  const own = 'and approved_by_id is not distinct from $3 and approved_by_platform_id is not distinct from $4';
  const canceled = await context.sql.rows(
    `update approval set canceled_at = clock_timestamp(), canceled_by_id = $3, canceled_by_platform_id = $4
     where item_type = $1 and item_id = $2 and canceled_at is null ${whose === 'all' ? '' : own} returning id`,
    [type, id, ...actor(context)],
  );
  return canceled.length;
}
