import { isDeepStrictEqual } from 'node:util';
import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import { touch } from '../../../kernel/write/touch.js';
import { itemTypes } from '../queue/item-types.js';
import type { ApprovalItemType } from './approval-state.js';
import type { ApprovalStatus } from './approval-status.js';

/** Item with an approval that is being changed. */
export interface LockedItem extends ApprovalStatus {
  id: string;
  type: ApprovalItemType;
  ownerOf(): Promise<string | null>;
}

/** Source object of an `ApprovalStatus`. */
export type StatusSource = ApprovalStatus & { $type: string; $id: string };

/** Changes the approval of an item while its row is locked, so that concurrent changes run one at a time. Throws NOT_FOUND. */
export function changeApproval(
  context: Context,
  type: ApprovalItemType,
  id: string,
  step: (item: LockedItem) => Promise<Partial<ApprovalStatus>>,
): Promise<StatusSource> {
  const { record, ownerOf } = itemTypes[type];
  const { sql, loaders } = context;
  return sql.transaction(async (em) => {
    // Refreshed, because an earlier statement of the same request may have changed its columns.
    const item = await em.findOne(record, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    if (!item) return fail('NOT_FOUND', `no ${optionsOf(record).one} with the id ${id}`);
    const { approval } = item;
    const before = { ...approval };
    Object.assign(approval, await step({ ...before, id, type, ownerOf: async () => ownerOf(item, sql) }));
    if (!isDeepStrictEqual({ ...approval }, before)) touch(context, item);
    loaders.clear();
    return { ...approval, $type: record.name, $id: id };
  });
}
