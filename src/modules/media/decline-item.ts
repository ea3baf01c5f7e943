import type { Context } from '../../kernel/declare/context.js';
import { reject } from '../../kernel/declare/errors.js';
import { now } from '../../kernel/declare/instant.js';
import { allOf } from '../../kernel/declare/problems.js';
import { announceApproval } from './announce.js';
import type { ApprovalItemType } from './approval-state.js';
import { declined } from './approval-steps.js';
import { changeApproval, type Status } from './change-approval.js';
import { itemTypes } from './item-types.js';

const longest = 10_000;

/** Declines a pending image or biography of a user, with the reason and the moment (section 3). */
export function declineItem(context: Context, type: ApprovalItemType, id: string, reason: string): Promise<Status> {
  const isFit = reason.length <= longest && !reason.includes('\0');
  allOf(
    () => itemTypes[type].canBeDeclined || reject('type', 'USER_IMAGE or BIOGRAPHY'),
    () => reason.trim() !== '' || reject('reason', 'the reason, which is for its owner'),
    () => isFit || reject('reason', `at most ${longest} characters, none of them NUL`),
  );
  return changeApproval(context, type, id, async (item) => {
    const next = { ...declined(item), declinedAt: now(), declineReason: reason };
    await announceApproval(context, { ...item, ...next }, await item.ownerOf());
    return next;
  });
}
