import { fail } from '../../kernel/declare/errors.js';
import type { ApprovalState } from './approval-state.js';

/** Where an item stands: what the rules of section 3 decide on. */
export interface Standing {
  state: ApprovalState;
  required: number;
  given: number;
}

const counted = (required: number, given: number): Standing => ({
  state: given >= required ? 'APPROVED' : 'PENDING',
  required,
  given,
});

const refuseDeclined = ({ state }: Standing) => {
  if (state === 'DECLINED') fail('CONFLICT', 'the item was declined');
};

/** Whether another approval counts: an approved item keeps those that it has. */
export function needsApproval(item: Standing): boolean {
  refuseDeclined(item);
  return item.state === 'PENDING';
}

/** One more approval. */
export const approved = ({ required, given }: Standing): Standing => counted(required, given + 1);

/** So many approvals fewer. What needed no approval needs one from now on (decision 23). */
export function unapproved(item: Standing, removed: number): Standing {
  refuseDeclined(item);
  return counted(Math.max(item.required, 1), item.given - removed);
}

/** Declined, which only a pending item can be. */
export function declined(item: Standing): Standing {
  if (item.state !== 'PENDING') fail('CONFLICT', `the item was ${item.state.toLowerCase()}`);
  return { ...item, state: 'DECLINED' };
}

/** Submits a declined item again, which then needs all its approvals. CONFLICT for other items. */
export function resubmitted(item: Standing): Standing {
  if (item.state !== 'DECLINED') fail('CONFLICT', 'the item was not declined');
  return { ...item, state: 'PENDING', given: 0 };
}
