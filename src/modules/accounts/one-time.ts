import { uuidv7 } from 'uuidv7';
import { fail } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import { inTurn } from './in-turn.js';
import { hashPassword, verifyPassword } from './password.js';
import { hashOf, newCode, newToken } from './secrets.js';

/** What a one-time value opens, and for how long. */
const lifetimes = {
  verifyEmail: '48 hours',
  resetPassword: '1 hour',
  resetByCode: '10 minutes',
  signIn: '5 minutes',
} as const;

export type Purpose = keyof typeof lifetimes;

/** How often a code may be tried: it is short enough to be guessed. */
const guesses = 5;

/** What was used: whose it is, and what it puts into effect. */
export interface Used<Pending = null> {
  userId: string;
  pending: Pending;
}

async function keep(sql: Sql, purpose: Purpose, userId: string, valueHash: string, pending: object | null): Promise<string> {
  const row = await sql.row<{ expiresAt: string }>(
    `insert into one_time_value (id, purpose, user_id, value_hash, pending, expires_at)
     values ($1, $2, $3, $4, $5, clock_timestamp() + $6::text::interval) returning expires_at as "expiresAt"`,
    [uuidv7(), purpose, userId, valueHash, pending && JSON.stringify(pending), lifetimes[purpose]],
  );
  return row?.expiresAt ?? fail('INTERNAL', 'nothing was written');
}

/** A new random value; it goes to the user and nowhere else. */
export async function issueValue(
  sql: Sql,
  purpose: Purpose,
  userId: string,
  pending: object | null = null,
): Promise<{ value: string; expiresAt: string }> {
  const value = newToken();
  await sql.rows(`delete from one_time_value where user_id = $1 and expires_at < now() - interval '30 days'`, [userId]);
  return { value, expiresAt: await keep(sql, purpose, userId, hashOf(value), pending) };
}

/** A new code that replaces earlier ones. Made before the account is looked for, because hashing takes time. */
export async function newOneTimeCode(): Promise<{ code: string; keepFor(sql: Sql, userId: string): Promise<void> }> {
  const code = newCode();
  const codeHash = await hashPassword(code);
  return {
    code,
    async keepFor(sql, userId) {
      await spend(sql, userId, ['resetByCode']);
      await keep(sql, 'resetByCode', userId, codeHash, null);
    },
  };
}

/** The one answer to values that do not exist, were used, or never were. */
export const wrongValue = (): never => fail('BAD_INPUT', 'the link or code is wrong or was used already');

/** Refuses a value that does not exist or was used with BAD_INPUT, one that is too old with GONE. */
export async function checkValue(sql: Sql, purposes: readonly Purpose[], value: string): Promise<void> {
  const row = await sql.row<{ isOver: boolean }>(
    `select expires_at <= clock_timestamp() as "isOver" from one_time_value where value_hash = $1 and purpose = any($2) and used_at is null`,
    [hashOf(value), purposes],
  );
  if (!row) wrongValue();
  if (row?.isOver) fail('GONE', 'the link or code has expired');
}

/** Locks the user before the value, the order in which a change of the password locks them. */
const lockOwner = (sql: Sql, column: 'id' | 'value_hash', key: string) =>
  sql.rows(`select u.id from one_time_value v join app_user u on u.id = v.user_id where v.${column} = $1 for update of u`, [key]);

/** Uses a value in the caller's transaction, once: of several requests at the same moment one succeeds. Null when it cannot be used. */
export async function takeValue<Pending = null>(sql: Sql, purpose: Purpose, value: string): Promise<Used<Pending> | null> {
  await lockOwner(sql, 'value_hash', hashOf(value));
  return sql.row<{ userId: string; pending: Pending }>(
    `update one_time_value set used_at = clock_timestamp()
     where value_hash = $1 and purpose = $2 and used_at is null and expires_at > clock_timestamp() returning user_id as "userId", pending`,
    [hashOf(value), purpose],
  );
}

/** The same; refused as `checkValue` does when it cannot be used. */
export async function useValue<Pending = null>(sql: Sql, purpose: Purpose, value: string): Promise<Used<Pending>> {
  const used = await takeValue<Pending>(sql, purpose, value);
  if (used) return used;
  await checkValue(sql, [purpose], value);
  return wrongValue();
}

/** The id of the newest code of the account with that e-mail address, when it is the code; each call counts as a guess. */
async function guessCode(sql: Sql, email: string, code: string): Promise<string> {
  const row = await sql.row<{ id: string; hash: string; isOver: boolean }>(
    `update one_time_value set attempts = attempts + 1 where attempts < $2 and id = (
       select v.id from one_time_value v join app_user u on u.id = v.user_id
       where u.email = $1 and v.purpose = 'resetByCode' and v.used_at is null order by v.created_at desc limit 1)
     returning id, value_hash as hash, expires_at <= clock_timestamp() as "isOver"`,
    [email, guesses],
  );
  if (!(await verifyPassword(row?.hash ?? null, code)) || !row) return wrongValue();
  return row.isOver ? fail('GONE', 'the link or code has expired') : row.id;
}

/** Refuses what is not the code: wrong or used up with BAD_INPUT, too old with GONE. Each call counts as a guess. The id of the code. */
export const checkCode = (sql: Sql, email: string, code: string): Promise<string> =>
  inTurn(`code of ${email}`, () => guessCode(sql, email, code));

/** The same; a right one does not count. It is counted first and given back, or many at once would be more than the guesses allowed. */
export const askForCode = (sql: Sql, email: string, code: string): Promise<void> =>
  inTurn(`code of ${email}`, async () => {
    const id = await guessCode(sql, email, code);
    await sql.rows('update one_time_value set attempts = greatest(attempts - 1, 0) where id = $1', [id]);
  });

/** Uses a code that was checked, in the caller's transaction, once. */
export async function useCode(sql: Sql, id: string): Promise<string> {
  await lockOwner(sql, 'id', id);
  const used = await sql.row<{ userId: string }>(
    `update one_time_value set used_at = clock_timestamp() where id = $1 and used_at is null returning user_id as "userId"`,
    [id],
  );
  return used?.userId ?? wrongValue();
}

/** Ends every open value of a user, or those for some purposes. */
export async function spend(sql: Sql, userId: string, purposes: readonly Purpose[] | null = null): Promise<void> {
  await sql.rows(
    `update one_time_value set used_at = clock_timestamp() where user_id = $1 and used_at is null and ($2::text[] is null or purpose = any($2))`,
    [userId, purposes],
  );
}
