import { sql as raw } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import type { Session } from '../../../kernel/session.js';
import { hashPassword, verifyPassword } from '../passwords/password.js';
import { passwordCostOf } from '../passwords/password-cost.js';
import { insertValue, invalidateValues, isExpiredColumn, throwExpired, throwWrongValue, tryUse } from './one-time-values.js';
import { runExclusive } from './run-exclusive.js';
import { newCode } from './secrets.js';

/** Maximum number of wrong attempts per code. Without this limit, six digits could be guessed. */
const maxAttempts = 5;

/**
 * Creates a code. `saveFor` stores its hash for a user and invalidates earlier codes. Hashing is slow, so call this before reading the
 * account.
 */
export async function newOneTimeCode(
  context: Context,
): Promise<{ code: string; saveFor(sql: Session, userId: string): Promise<void> }> {
  const code = newCode();
  const codeHash = await hashPassword(code, passwordCostOf(context));
  return {
    code,
    async saveFor(sql, userId) {
      await invalidateValues(sql, userId, ['resetByCode']);
      await insertValue(sql, 'resetByCode', userId, codeHash, null);
    },
  };
}

/** Returns the ID of the newest unused code of an account, if it equals `code`. Each call counts as an attempt. */
async function verifyCode(context: Context, email: string, code: string): Promise<string> {
  const { sql } = context;
  const newestCode = sql.db
    .selectFrom('one_time_value as v')
    .innerJoin('app_user as u', 'u.id', 'v.user_id')
    .select('v.id')
    .where('u.email', '=', email)
    .where('v.purpose', '=', 'resetByCode')
    .where('v.used_at', 'is', null)
    .orderBy('v.created_at', 'desc')
    .limit(1);
  const candidate = await sql.first(
    sql.db
      .updateTable('one_time_value')
      .set({ attempts: raw<number>`attempts + 1` })
      .where('attempts', '<', maxAttempts)
      .where('id', '=', newestCode)
      .returning(['id', 'value_hash as hash', isExpiredColumn]),
  );
  if (!(await verifyPassword(candidate?.hash ?? null, code, passwordCostOf(context))) || !candidate) return throwWrongValue();
  return candidate.isExpired ? throwExpired() : candidate.id;
}

/**
 * Returns the ID of a valid code. Throws BAD_INPUT if the code is wrong or has been used, and GONE if it has expired. Each call counts as
 * an attempt.
 */
export const checkCode = (context: Context, email: string, code: string): Promise<string> =>
  runExclusive(`code of ${email}`, () => verifyCode(context, email, code));

/**
 * Like `checkCode`, but a correct code does not count as an attempt. The attempt is counted first and undone after the check, so that
 * concurrent calls cannot exceed the limit.
 */
export const checkCodeUncounted = (context: Context, email: string, code: string): Promise<void> =>
  runExclusive(`code of ${email}`, async () => {
    const { sql } = context;
    const id = await verifyCode(context, email, code);
    await sql.run(
      sql.db.updateTable('one_time_value').set({ attempts: raw<number>`greatest(attempts - 1, 0)` }).where('id', '=', id),
    );
  });

/** Marks a checked code as used, in the open transaction. Returns the ID of its user. */
export const useCode = async (sql: Session, id: string): Promise<string> =>
  (await tryUse(sql, 'resetByCode', { id }))?.userId ?? throwWrongValue();
