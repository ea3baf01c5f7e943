import { uuidv7 } from 'uuidv7';
import type { Context } from '../../kernel/context.js';
import { announce } from './announce.js';
import type { ApprovalItemType } from './approval-state.js';
import { approved, needsApproval, unapproved } from './approval-steps.js';
import { changeApproval, type Status } from './change-approval.js';

/** The user who acts, or without one the platform (decision 22). */
const actor = ({ caller: { user, platform } }: Context): [userId: string | null, platformId: string | null] =>
  user ? [user.id, null] : [null, platform?.id ?? null];

/** Writes the caller's approval down, unless there is one already. */
const give = (context: Context, type: ApprovalItemType, id: string) =>
  context.sql.row(
    `insert into approval (id, item_type, item_id, approved_by_id, approved_by_platform_id) select $1, $2, $3, $4, $5
     where not exists (select from approval where item_type = $2 and item_id = $3 and canceled_at is null
       and approved_by_id is not distinct from $4 and approved_by_platform_id is not distinct from $5) returning id`,
    [uuidv7(), type, id, ...actor(context)],
  );

/** Cancels approvals: every one of the item, or the caller's own; how many there were. */
async function cancel(context: Context, type: ApprovalItemType, id: string, all: boolean): Promise<number> {
  const own = 'and approved_by_id is not distinct from $3 and approved_by_platform_id is not distinct from $4';
  const canceled = await context.sql.rows(
    `update approval set canceled_at = clock_timestamp(), canceled_by_id = $3, canceled_by_platform_id = $4
     where item_type = $1 and item_id = $2 and canceled_at is null ${all ? '' : own} returning id`,
    [type, id, ...actor(context)],
  );
  return canceled.length;
}

/** Counts the caller's approval, once; the item is approved when the required number is reached. */
export const approveItem = (context: Context, type: ApprovalItemType, id: string): Promise<Status> =>
  changeApproval(context, type, id, async (item) => {
    if (!needsApproval(item) || !(await give(context, type, id))) return {};
    const next = approved(item);
    await announce(context, { ...item, ...next });
    return next;
  });

/** Removes approvals: a super admin all of them, other callers their own (section 3). */
export const unapproveItem = (context: Context, type: ApprovalItemType, id: string): Promise<Status> =>
  changeApproval(context, type, id, async (item) =>
    unapproved(item, await cancel(context, type, id, context.caller.user?.isSuperAdmin === true)),
  );
