import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { optionsOf } from '../../kernel/declare/record.js';
import type { Row } from '../../kernel/session.js';
import { create } from '../../kernel/write/save.js';
import { startingWith } from './approvable.js';
import { deleteItem } from './delete-item.js';
import { itemTypes } from './item-types.js';

const tables = { USER_IMAGE: 'user_image', BIOGRAPHY: 'biography' } as const;
type UserContent = keyof typeof tables;

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
  const { sql } = context;
  return sql.transaction(async () => {
    const own = await sql.first(
      sql.db.selectFrom(tables[type]).select('id').where('id', '=', id).where('user_id', '=', userId).forUpdate(),
    );
    if (!own) fail('NOT_FOUND', `no ${optionsOf(itemTypes[type].record).one} of that user with the id ${id}`);
    return deleteItem(context, type, id, returning);
  });
}
