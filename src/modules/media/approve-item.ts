import { uuidv7 } from 'uuidv7';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { announce } from './announce.js';
import type { ApprovalItemType } from './approval-state.js';
import { approved, needsApproval, unapproved } from './approval-steps.js';
import { actor, cancelApprovals } from './cancel-approvals.js';
import { changeApproval, type Status } from './change-approval.js';
import { approvalsNeeded } from './required-approvals.js';

/** Writes the caller's approval down, unless there is one already; whether it was. */
async function give(context: Context, type: ApprovalItemType, id: string): Promise<boolean> {
  const { sql } = context;
  const [userId, platformId] = actor(context);
  const known = sql.db
    .selectFrom('approval')
    .where('item_type', '=', type)
    .where('item_id', '=', id)
    .where('canceled_at', 'is', null)
    .where('approved_by_id', 'is not distinct from', userId)
    .where('approved_by_platform_id', 'is not distinct from', platformId);
  const given = await sql.first(
    sql.db
      .insertInto('approval')
      .columns(['id', 'item_type', 'item_id', 'approved_by_id', 'approved_by_platform_id'])
      .expression(
        sql.db
          .selectNoFrom(({ val }) => [
            val(uuidv7()).as('id'),
            val(type).as('item_type'),
            val(id).as('item_id'),
            val(userId).as('approved_by_id'),
            val(platformId).as('approved_by_platform_id'),
          ])
          .where(({ exists, not }) => not(exists(known))),
      )
      .returning('id'),
  );
  return given !== null;
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
    await announce(context, { ...item, ...next }, ownerId);
    return next;
  });

/** Removes approvals: a super admin all of them, other callers their own (section 3). */
export const unapproveItem = (context: Context, type: ApprovalItemType, id: string): Promise<Status> =>
  changeApproval(context, type, id, async (item) =>
    unapproved(item, await cancelApprovals(context, type, id, context.caller.user?.isSuperAdmin ? 'all' : 'own')),
  );
