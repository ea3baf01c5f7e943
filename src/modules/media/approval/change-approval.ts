import { isDeepStrictEqual } from 'node:util';
import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import { touch } from '../../../kernel/write/touch.js';
import { itemTypes } from '../queue/item-types.js';
import type { ApprovalItemType } from './approval-state.js';
import type { ApprovalStatus } from './approval-status.js';

/** Locked item with its current approval status. */
export interface LockedItem extends ApprovalStatus {
  id: string;
  type: ApprovalItemType;
  ownerOf(): Promise<string | null>;
}

/** Source object of the GraphQL type `ApprovalStatus`: the status, and the type and ID of its item. */
export type StatusSource = ApprovalStatus & { $type: string; $id: string };

/** Locks an item and applies a change to its approval, so concurrent changes run one at a time. Throws NOT_FOUND for an unknown ID. */
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
