import type { ActionRule } from '../../../kernel/declare/fields/options.js';
import { pendingFor } from './approval-queue-sql.js';
import { type ApprovalItemType, ApprovalState } from './approval-state.js';
import { canConfirm } from './confirmers.js';

/** Permission to approve an item. Checks all pending items of a list with one statement. */
export const canApprove = (type: ApprovalItemType): ActionRule => ({
  columns: ['approval.state'],
  isAllowed(row, { caller, loaders, sql }) {
    if (row['approval.state'] !== ApprovalState.PENDING || !canConfirm(caller)) return false;
    return loaders.batchLoader(`${type} pending for the caller`, async (ids) => {
      const pendingIds = await pendingFor({ sql, caller }, type, ids);
      return ids.map((id) => pendingIds.has(id));
    })(String(row.id));
  },
});
