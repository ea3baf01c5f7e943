import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import type { RecordClass } from '../../../kernel/declare/meta.js';
import { ownerRestrictionOf } from '../../../kernel/declare/policy/writers.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { create } from '../../../kernel/write/save.js';
import { initialApproval } from '../approval/approvable.js';
import type { IdsDeletedWithItem } from '../deleted-ids.js';
import { removeItem } from '../queue/delete-item.js';
import { isIdOfOtherType } from '../queue/item-ids-sql.js';
import type { Biography } from './biography.js';
import type { UserImage } from './user-image.js';

type UserContent = UserImage | Biography;

/**
 * Throws FORBIDDEN if a user chooses the ID. Otherwise, users could replace an item that is under review and get the replacement approved
 * unseen. Throws CONFLICT if an item of another type has the ID, because deleting one item would delete the comments on both.
 */
async function checkId({ caller, sql }: Context, record: RecordClass, id: unknown): Promise<void> {
  if (typeof id !== 'string') return;
  if (ownerRestrictionOf(optionsOf(record).write, caller))
    fail('FORBIDDEN', 'input.id: the service assigns the ID', { field: 'input.id' });
  if (await isIdOfOtherType(sql, record.name, id))
    fail('CONFLICT', 'input.id: another item has the same id', { field: 'input.id' });
}

/** Creates a user image or biography. The item is pending and needs one approval (decision 22). */
export async function createUserContent<T extends UserContent>(
  context: Context,
  record: RecordClass<T>,
  userId: string,
  input: Values,
  returning: readonly string[],
): Promise<RowOf<T>> {
  await checkId(context, record, input.id);
  return create(context, record, { ...input }, returning, { userId, ...initialApproval(1) });
}

/** Deletes a user image or biography with `removeItem`. Throws NOT_FOUND if it belongs to another user. */
export function deleteUserContent<T extends UserContent>(
  context: Context,
  record: RecordClass<T>,
  userId: string,
  id: string,
  returning: readonly string[],
): Promise<RowOf<T> & IdsDeletedWithItem> {
  return context.sql.transaction(async (em) => {
    const item = await em.findOne<UserContent>(record, { id, userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!(item instanceof record)) return fail('NOT_FOUND', `no ${optionsOf(record).one} of that user with the id ${id}`);
    return removeItem(context, record, item, returning);
  });
}
