import { uuidv7 } from 'uuidv7';
import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import { announce } from './announce.js';
import type { ApprovalItemType } from './approval-state.js';
import { approved, needsApproval, unapproved } from './approval-steps.js';
import { actor, cancelApprovals } from './cancel-approvals.js';
import { changeApproval, type Item, type Status } from './change-approval.js';
import { approvalsNeeded } from './required-approvals.js';

/** Writes the caller's approval down, unless there is one already. */
const give = (context: Context, type: ApprovalItemType, id: string) =>
  context.sql.row(
    `insert into approval (id, item_type, item_id, approved_by_id, approved_by_platform_id) select $1, $2, $3, $4, $5
     where not exists (select from approval where item_type = $2 and item_id = $3 and canceled_at is null
       and approved_by_id is not distinct from $4 and approved_by_platform_id is not distinct from $5) returning id`,
    [uuidv7(), type, id, ...actor(context)],
  );

/** Nobody's approval counts for what is their own; admins need none in any case. */
function refuseOwn({ caller: { user } }: Context, { ownerId }: Item): void {
  if (user && user.id === ownerId && approvalsNeeded(user) !== 0) fail('FORBIDDEN', 'nobody approves what is their own');
}

/** Counts the caller's approval, once; the item is approved when the required number is reached. */
export const approveItem = (context: Context, type: ApprovalItemType, id: string): Promise<Status> =>
  changeApproval(context, type, id, async (item) => {
    refuseOwn(context, item);
    if (!needsApproval(item) || !(await give(context, type, id))) return {};
    const next = approved(item);
    await announce(context, { ...item, ...next });
    return next;
  });

/** Removes approvals: a super admin all of them, other callers their own (section 3). */
export const unapproveItem = (context: Context, type: ApprovalItemType, id: string): Promise<Status> =>
  changeApproval(context, type, id, async (item) =>
    unapproved(item, await cancelApprovals(context, type, id, context.caller.user?.isSuperAdmin ? 'all' : 'own')),
  );
