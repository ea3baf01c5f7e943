import type { Context } from '../../../kernel/declare/context.js';
import { itemTypes } from '../queue/item-types.js';
import type { LockedItem } from './change-approval.js';

/** Notifies the owner of an approved or declined item (decision 27). Does nothing for a pending item. */
export async function announceApproval(
  { sql, services }: Context,
  { id, type, state, declineReason }: LockedItem,
  ownerId: string | null,
): Promise<void> {
  if (state === 'PENDING') return;
  const { noun } = itemTypes[type];
  const isApproved = state === 'APPROVED';
  await services.notify(sql, [ownerId], {
    event: isApproved ? 'APPROVAL_GIVEN' : 'APPROVAL_DECLINED',
    content: isApproved ? `Your ${noun} was approved.` : `Your ${noun} was declined${declineReason ? `: ${declineReason}` : '.'}`,
    subject: { kind: type, id },
  });
}
