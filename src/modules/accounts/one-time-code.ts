import { sql as raw } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import type { Session } from '../../kernel/session.js';
import { inTurn } from './in-turn.js';
import { isOver, keepValue, overdue, spend, takeOneTime, wrongValue } from './one-time.js';
import { hashPassword, verifyPassword } from './password.js';
import { passwordCostOf } from './password-cost.js';
import { newCode } from './secrets.js';

/** How often a code may be tried: it is short enough to be guessed. */
const guesses = 5;

/** A new code that replaces earlier ones. Made before the account is looked for, because hashing takes time. */
export async function newOneTimeCode(
  context: Context,
): Promise<{ code: string; keepFor(sql: Session, userId: string): Promise<void> }> {
  const code = newCode();
  const codeHash = await hashPassword(code, passwordCostOf(context));
  return {
    code,
    async keepFor(sql, userId) {
      await spend(sql, userId, ['resetByCode']);
      await keepValue(sql, 'resetByCode', userId, codeHash, null);
    },
  };
}

/** The id of the newest code of the account with that e-mail address, when it is the code; each call counts as a guess. */
async function guessCode(context: Context, email: string, code: string): Promise<string> {
  const { sql } = context;
  const newest = sql.db
    .selectFrom('one_time_value as v')
    .innerJoin('app_user as u', 'u.id', 'v.user_id')
    .select('v.id')
    .where('u.email', '=', email)
    .where('v.purpose', '=', 'resetByCode')
    .where('v.used_at', 'is', null)
    .orderBy('v.created_at', 'desc')
    .limit(1);
  const guessed = await sql.first(
    sql.db
      .updateTable('one_time_value')
      .set({ attempts: raw<number>`attempts + 1` })
      .where('attempts', '<', guesses)
      .where('id', '=', newest)
      .returning(['id', 'value_hash as hash', isOver]),
  );
  if (!(await verifyPassword(guessed?.hash ?? null, code, passwordCostOf(context))) || !guessed) return wrongValue();
  return guessed.isOver ? overdue() : guessed.id;
}

/** Refuses what is not the code: wrong or used up with BAD_INPUT, too old with GONE. Each call counts as a guess. The id of the code. */
export const checkCode = (context: Context, email: string, code: string): Promise<string> =>
  inTurn(`code of ${email}`, () => guessCode(context, email, code));

/** The same; a right one does not count. It is counted first and given back, or many at once would be more than the guesses allowed. */
export const askForCode = (context: Context, email: string, code: string): Promise<void> =>
  inTurn(`code of ${email}`, async () => {
    const { sql } = context;
    const id = await guessCode(context, email, code);
    await sql.run(
      sql.db.updateTable('one_time_value').set({ attempts: raw<number>`greatest(attempts - 1, 0)` }).where('id', '=', id),
    );
  });

/** Uses a code that was checked, in the caller's transaction, once. Whose it is. */
export const useCode = async (sql: Session, id: string): Promise<string> =>
  (await takeOneTime(sql, 'resetByCode', { id }))?.userId ?? wrongValue();
