import type { RecordOptions, Values } from '../../kernel/declare/options.js';
import type { Param } from '../../kernel/session.js';
import { ApprovalItem } from './approval-item.js';
import { type ApprovalItemType, ApprovalState } from './approval-state.js';
import { mayConfirm } from './confirmers.js';
import { approving } from './may-approve.js';

/**
 * Options of an approvable record, in addition to its group `approval`. `own` is SQL that is true for the items of a user, `made` is the column of
 * the creation time, and `shown` is SQL for the approved items that a caller sees.
 */
export const approvable = (
  type: ApprovalItemType,
  own: (userId: string, param: Param) => string,
  made = 'reported_created_at',
  shown: NonNullable<RecordOptions['visible']> = () => null,
): Pick<RecordOptions, 'can' | 'implements' | 'indexes' | 'visible'> => ({
  implements: [ApprovalItem],
  can: { approve: approving(type) },
  indexes: { pending: `(${made} desc nulls last, id) where approval_state = 'PENDING'` },
  visible(caller, param: Param) {
    if (mayConfirm(caller)) return null;
    const limit = shown(caller, param);
    const approved = `${param.row}.approval_state = 'APPROVED'${limit ? ` and ${limit}` : ''}`;
    return caller.user ? `(${approved} or ${own(param(caller.user.id), param)})` : approved;
  },
});

/** The approval of a new item: what needs no approvals is approved at once. */
export const startingWith = (required: number): Values => ({
  'approval.state': required === 0 ? ApprovalState.APPROVED : ApprovalState.PENDING,
  'approval.required': required,
});
