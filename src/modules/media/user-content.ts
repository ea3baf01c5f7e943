import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { optionsOf } from '../../kernel/declare/record.js';
import type { Row } from '../../kernel/session.js';
import { create } from '../../kernel/write/save.js';
import { startingWith } from './approvable.js';
import { Biography } from './biography.js';
import { removeItem } from './delete-item.js';
import { UserImage } from './user-image.js';

type UserContent = 'USER_IMAGE' | 'BIOGRAPHY';
const records: Readonly<Record<UserContent, RecordClass<{ id: string; userId: string | null }>>> = {
  USER_IMAGE: UserImage,
  BIOGRAPHY: Biography,
};

/** Makes an image or a biography of a user: it starts pending and needs one approval (decision 22). */
export const createUserContent = (
  context: Context,
  type: UserContent,
  userId: string,
  input: object,
  returning: readonly string[],
): Promise<Row> => create(context, records[type], { ...input }, returning, { userId, ...startingWith(1) });

/** Deletes it, when it is that user's. */
export function deleteUserContent(
  context: Context,
  type: UserContent,
  userId: string,
  id: string,
  returning: readonly string[],
): Promise<Row> {
  const record = records[type];
  return context.sql.transaction(async (em) => {
    const own = await em.findOne(record, { id, userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!own) fail('NOT_FOUND', `no ${optionsOf(record).one} of that user with the id ${id}`);
    return removeItem(context, type, own, returning);
  });
}
