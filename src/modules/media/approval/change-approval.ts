import { isDeepStrictEqual } from 'node:util';
import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import { databaseNow, touch } from '../../../kernel/write/entities.js';
import { itemTypes } from '../queue/item-types.js';
import { Approval } from './approval.js';
import type { ApprovalItemType, ApprovalStatus } from './approval-status.js';

/** Locked item with its current approval status. */
export interface LockedItem extends ApprovalStatus {
  id: string;
  type: ApprovalItemType;
  ownerOf(): Promise<string | null>;
}

/** Source object of the GraphQL type `ApprovalStatus`: the status, and the type and ID of its item. */
export type StatusSource = ApprovalStatus & { $type: string; $id: string };

/** Locks an item and applies a change to its approval, so that concurrent changes run one at a time. Throws NOT_FOUND for an unknown ID. */
export function changeApproval(
  context: Context,
  type: ApprovalItemType,
  id: string,
  change: (item: LockedItem) => Promise<Partial<ApprovalStatus>>,
): Promise<StatusSource> {
  const { record, ownerOf } = itemTypes[type];
  const { sql, loaders } = context;
  return sql.transaction(async (em) => {
    // Refreshes the entity, because an earlier statement of the same request may have changed its columns.
    const item = await em.findOne(record, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    if (!item) return fail('NOT_FOUND', `no ${optionsOf(record).one} with the id ${id}`);
    const { approval } = item;
    const before = { ...approval };
    Object.assign(approval, await change({ ...before, id, type, ownerOf: async () => ownerOf(item, sql) }));
    if (!isDeepStrictEqual({ ...approval }, before)) touch(context, item);
    loaders.clear();
    return { ...approval, $type: record.name, $id: id };
  });
}

/** Returns the ID of the calling user, or of the calling platform if the request has no user token (decision 22). */
export const callerIds = ({ caller: { user, platform } }: Context): [userId: string | null, platformId: string | null] =>
  user ? [user.id, null] : [null, platform?.id ?? null];

/** Cancels all approvals of a locked item, or only those of the caller. Keeps the canceled approvals as history. Returns their number. */
export async function cancelApprovals(
  context: Context,
  type: ApprovalItemType,
  id: string,
  scope: 'all' | 'own',
): Promise<number> {
  const [userId, platformId] = callerIds(context);
  const condition = scope === 'own' ? { approvedById: userId, approvedByPlatformId: platformId } : {};
  const approvals = await context.sql.em.find(Approval, { itemType: type, itemId: id, canceledAt: null, ...condition });
  for (const approval of approvals) {
    approval.canceledAt = databaseNow();
    approval.canceledById = userId;
    approval.canceledByPlatformId = platformId;
  }
  return approvals.length;
}

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
