import { sql as raw, type SqlBool } from 'kysely';
import { pathIn, reject } from '../../../kernel/declare/errors.js';
import { Problems } from '../../../kernel/declare/problems.js';
import type { Session } from '../../../kernel/session.js';

const expected = 'the id of a user';

const readExistingIds = async (sql: Session, userIds: readonly string[]): Promise<Set<string>> => {
  const users = await sql.run(sql.db.selectFrom('app_user').select('id').where(raw<SqlBool>`id = any(${userIds})`));
  return new Set(users.map(({ id }) => id));
};

/**
 * Throws BAD_INPUT with a problem for each unknown user ID. `path` is the path of the list. Checks only the IDs for which `isNew` returns
 * true.
 */
export async function checkUsers(
  sql: Session,
  userIds: readonly string[],
  path: string,
  isNew: (userId: string) => boolean = () => true,
): Promise<void> {
  if (!userIds.some(isNew)) return;
  const existingIds = await readExistingIds(sql, userIds);
  const problems = new Problems();
  for (const [index, id] of userIds.entries()) if (isNew(id) && !existingIds.has(id)) problems.add(pathIn(path, index), expected);
  problems.throwIfAny();
}

/** Throws BAD_INPUT for an unknown user ID. */
export async function checkUser(sql: Session, userId: string, field: string): Promise<void> {
  if (!(await readExistingIds(sql, [userId])).has(userId)) reject(field, expected);
}
