import type { ActionRule } from '../../../kernel/declare/fields/options.js';
import { pendingIdsFor } from './approval-queue-sql.js';
import { type ApprovalItemType, ApprovalState } from './approval-state.js';
import { canConfirm } from './confirmers.js';

/** Permission to approve an item. One statement checks all pending items of a list. */
export const canApprove = (type: ApprovalItemType): ActionRule => ({
  columns: ['approval.state'],
  isAllowed(row, { caller, loaders, sql }) {
    if (row['approval.state'] !== ApprovalState.PENDING || !canConfirm(caller)) return false;
    return loaders.batchLoader(`${type} pending for the caller`, async (ids) => {
      const pendingIds = await pendingIdsFor({ sql, caller }, type, ids);
      return ids.map((id) => pendingIds.has(id));
    })(String(row.id));
  },
});
