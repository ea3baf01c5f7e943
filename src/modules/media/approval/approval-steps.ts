import { fail } from '../../../kernel/declare/errors.js';
import type { ApprovalState } from './approval-status.js';

/** Approval state and approval counts of an item (section 3). */
export interface ApprovalProgress {
  state: ApprovalState;
  required: number;
  given: number;
}

const withCounts = (required: number, given: number): ApprovalProgress => ({
  state: given >= required ? 'APPROVED' : 'PENDING',
  required,
  given,
});

const rejectDeclined = ({ state }: ApprovalProgress) => {
  if (state === 'DECLINED') fail('CONFLICT', 'the item was declined');
};

/** Whether an item needs another approval. Throws CONFLICT for a declined item. */
export function needsApproval(item: ApprovalProgress): boolean {
  rejectDeclined(item);
  return item.state === 'PENDING';
}

/** Returns the state after another approval. */
export const afterApproval = ({ required, given }: ApprovalProgress): ApprovalProgress => withCounts(required, given + 1);

/**
 * Returns the state after approvals have been canceled. An item that required no approval then requires one (decision 23). Throws CONFLICT
 * for a declined item.
 */
export function afterCancellation(item: ApprovalProgress, canceledCount: number): ApprovalProgress {
  rejectDeclined(item);
  return withCounts(Math.max(item.required, 1), item.given - canceledCount);
}

/** Returns the state after a decline. Throws CONFLICT unless the item is pending. */
export function afterDecline(item: ApprovalProgress): ApprovalProgress {
  if (item.state !== 'PENDING') fail('CONFLICT', `the item was ${item.state.toLowerCase()}`);
  return { ...item, state: 'DECLINED' };
}

/** Returns the state after a declined item has been resubmitted: pending without approvals. Throws CONFLICT unless the item is declined. */
export function afterResubmission(item: ApprovalProgress): ApprovalProgress {
  if (item.state !== 'DECLINED') fail('CONFLICT', 'the item was not declined');
  return { ...item, state: 'PENDING', given: 0 };
}
