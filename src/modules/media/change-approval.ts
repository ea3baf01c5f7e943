import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import { optionsOf } from '../../kernel/record.js';
import type { ApprovalItemType } from './approval-state.js';
import type { Standing } from './approval-steps.js';
import { itemTypes } from './item-types.js';

/** What a step may change of an item. */
export interface Outcome extends Standing {
  declinedAt: string | null;
  declineReason: string | null;
}

/** An item whose approval is being changed. */
export interface Item extends Outcome {
  [column: string]: unknown;
  id: string;
  type: ApprovalItemType;
  ownerId: string | null;
}

/** The source of an `ApprovalStatus`. */
export type Status = Outcome & { $type: string; $id: string };

const columns = `r.approval_state as state, r.approval_required as required, r.approval_given as given,
  r.approval_declined_at as "declinedAt", r.approval_decline_reason as "declineReason"`;

/**
 * Runs one step of an item's approval while its row is locked: steps of the same item follow one another, so that each caller's approval
 * counts once and the required number is reached once.
 */
export function changeApproval(
  context: Context,
  type: ApprovalItemType,
  id: string,
  step: (item: Item) => Promise<Partial<Outcome>>,
): Promise<Status> {
  const itemType = itemTypes[type];
  const { table, one } = optionsOf(itemType.record);
  return context.sql.transaction(async () => {
    const item = await context.sql.row<Item>(
      `select r.id, $2 as type, ${itemType.owner} as "ownerId", ${columns} from ${table} r where r.id = $1 for update of r`,
      [id, type],
    );
    if (!item) return fail('NOT_FOUND', `no ${one} with the id ${id}`);
    const { state, required, given, declinedAt, declineReason } = { ...item, ...(await step(item)) };
    await context.sql.rows(
      `update ${table} set approval_state = $2, approval_required = $3, approval_given = $4, approval_declined_at = $5, approval_decline_reason = $6
       where id = $1`,
      [id, state, required, given, declinedAt, declineReason],
    );
    context.loaders.clear();
    return { $type: itemType.record.name, $id: id, state, required, given, declinedAt, declineReason };
  });
}
