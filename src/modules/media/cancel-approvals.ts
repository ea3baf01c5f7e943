import { sql as raw } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
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
  const { sql } = context;
  const [userId, platformId] = actor(context);
  const all = sql.db
    .updateTable('approval')
    .set({ canceled_at: raw<string>`clock_timestamp()`, canceled_by_id: userId, canceled_by_platform_id: platformId })
    .where('item_type', '=', type)
    .where('item_id', '=', id)
    .where('canceled_at', 'is', null);
  const own = all
    .where('approved_by_id', 'is not distinct from', userId)
    .where('approved_by_platform_id', 'is not distinct from', platformId);
  const canceled = await sql.run((whose === 'all' ? all : own).returning('id'));
  return canceled.length;
}
