import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import { optionsOf } from '../../kernel/record.js';
import { create } from '../../kernel/save.js';
import type { Row } from '../../kernel/sql.js';
import { startingWith } from './approvable.js';
import { deleteItem } from './delete-item.js';
import { itemTypes } from './item-types.js';

type UserContent = 'USER_IMAGE' | 'BIOGRAPHY';

/** Makes an image or a biography of a user: it starts pending and needs one approval (decision 22). */
export const createUserContent = (
  context: Context,
  type: UserContent,
  userId: string,
  input: object,
  returning: readonly string[],
): Promise<Row> => create(context, itemTypes[type].record, { ...input }, returning, { userId, ...startingWith(1) });

/** Deletes it, when it is that user's. */
export function deleteUserContent(
  context: Context,
  type: UserContent,
  userId: string,
  id: string,
  returning: readonly string[],
): Promise<Row> {
  const { table, one } = optionsOf(itemTypes[type].record);
  return context.sql.transaction(async () => {
    const own = await context.sql.row(`select id from ${table} where id = $1 and user_id = $2 for update`, [id, userId]);
    if (!own) fail('NOT_FOUND', `no ${one} of that user with the id ${id}`);
    return deleteItem(context, type, id, returning);
  });
}
