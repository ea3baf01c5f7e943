import { allOf, expression, parameter, type RowReference, type SqlExpression } from '../../../kernel/declare/expression.js';
import type { ActionRule, RecordOptions, Values } from '../../../kernel/declare/fields/options.js';
import { ApprovalItem } from './approval-item.js';
import { pendingIdsFor } from './approval-queue-sql.js';
import { type ApprovalItemType, ApprovalState } from './approval-status.js';
import { canConfirm } from './confirmers.js';

/** Permission rule for approving an item. One statement checks all pending items in a list. */
const canApprove = (type: ApprovalItemType): ActionRule => ({
  columns: ['approval.state'],
  isAllowed(row, { caller, loaders, sql }) {
    if (row['approval.state'] !== ApprovalState.PENDING || !canConfirm(caller)) return false;
    return loaders.batchLoader(`${type} pending for the caller`, async (ids) => {
      const pendingIds = await pendingIdsFor({ sql, caller }, type, ids);
      return ids.map((id) => pendingIds.has(id));
    })(String(row.id));
  },
});

/**
 * Record options of an item type with approvals. The record also needs the field group `approval`.
 *
 * @param isOwn SQL condition that an item belongs to the user.
 * @param createdColumn Column of the creation time.
 * @param isApprovedVisible SQL condition that the caller can see an approved item. Null if all callers can.
 */
export const approvableOptions = (
  type: ApprovalItemType,
  isOwn: (userId: SqlExpression, row: RowReference) => SqlExpression,
  createdColumn = 'reported_created_at',
  isApprovedVisible: NonNullable<RecordOptions['visibleCondition']> = () => null,
): Pick<RecordOptions, 'actionRules' | 'dependents' | 'implements' | 'indexes' | 'visibleCondition'> => ({
  implements: [ApprovalItem],
  actionRules: { approve: canApprove(type) },
  dependents: [
    { record: 'Approval', idKey: 'itemId', type: { key: 'itemType', value: type } },
    { record: 'ApprovalComment', idKey: 'itemId' },
  ],
  indexes: {
    pending: `(${createdColumn} desc nulls last, id) where approval_state = 'PENDING'`,
    state: `(approval_state, ${createdColumn} desc nulls last, id)`,
  },
  visibleCondition(caller, row) {
    if (canConfirm(caller)) return null;
    const limitCondition = isApprovedVisible(caller, row);
    const isApproved = expression`${row}.approval_state = 'APPROVED'`;
    const approvedCondition = limitCondition ? allOf([isApproved, limitCondition]) : isApproved;
    return caller.user ? expression`(${approvedCondition} or ${isOwn(parameter(caller.user.id), row)})` : approvedCondition;
  },
});

/** Returns the initial approval state of an item. The item is approved immediately if it needs no approvals. */
export const initialApproval = (required: number): Values => ({
  'approval.state': required === 0 ? ApprovalState.APPROVED : ApprovalState.PENDING,
  'approval.required': required,
});
