import type { Context } from '../../../kernel/declare/context.js';
import { reject } from '../../../kernel/declare/errors.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { announceApproval } from '../approval/announce-approval.js';
import type { ApprovalItemType } from '../approval/approval-state.js';
import { afterDecline } from '../approval/approval-steps.js';
import { changeApproval, type StatusSource } from '../approval/change-approval.js';
import { itemTypes } from './item-types.js';

const maxLength = 10_000;

/** Declines a pending user image or biography, and stores the reason and the time (section 3). */
export function declineItem(context: Context, type: ApprovalItemType, id: string, reason: string): Promise<StatusSource> {
  const isValidText = reason.length <= maxLength && !reason.includes('\0');
  runChecks(
    () => itemTypes[type].canBeDeclined || reject('type', 'USER_IMAGE or BIOGRAPHY'),
    () => reason.trim() !== '' || reject('reason', 'a non-blank reason'),
    () => isValidText || reject('reason', `at most ${maxLength} characters, none of them NUL`),
  );
  return changeApproval(context, type, id, async (item) => {
    const next = { ...afterDecline(item), declinedAt: now(), declineReason: reason };
    await announceApproval(context, { ...item, ...next }, await item.ownerOf());
    return next;
  });
}
