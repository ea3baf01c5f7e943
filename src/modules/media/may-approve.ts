import type { Can } from '../../kernel/declare/options.js';
import { type ApprovalItemType, ApprovalState } from './approval-state.js';
import { mayConfirm } from './confirmers.js';
import { waitingAmong } from './waits-for-sql.js';

/** Whether an approval by the caller would count: asked of the database for all items of a list together, and only where it may be so. */
export const approving = (type: ApprovalItemType): Can => ({
  reads: ['approval.state'],
  allows(row, { caller, loaders, sql }) {
    if (row['approval.state'] !== ApprovalState.PENDING || !mayConfirm(caller)) return false;
    return loaders.batch(`${type} that wait for the caller`, async (ids) => {
      const waiting = await waitingAmong({ sql, caller }, type, ids);
      return ids.map((id) => waiting.has(id));
    })(String(row.id));
  },
});
