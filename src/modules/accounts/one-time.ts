import { LockMode } from '@mikro-orm/core';
import { sql as raw, type SqlBool } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { fail } from '../../kernel/declare/errors.js';
import type { Session } from '../../kernel/session.js';
import { databaseNow } from '../../kernel/write/touch.js';
import { moment } from './moment.js';
import { OneTimeValue } from './one-time-value.js';
import type { Pending, Purpose } from './pending.js';
import { hashOf, newToken } from './secrets.js';
import { User } from './user.js';

/** For how long a one-time value opens what it is for. */
const lifetimes: Readonly<Record<Purpose, string>> = {
  verifyEmail: '48 hours',
  resetPassword: '1 hour',
  resetByCode: '10 minutes',
  signIn: '5 minutes',
};

/** What was used: whose it is, and what it puts into effect. */
export interface Used<P extends Purpose> {
  userId: string;
  pending: Pending[P];
}

/** Keeps the hash of a value; when it ends. */
export async function keepValue<P extends Purpose>(
  sql: Session,
  purpose: P,
  userId: string,
  valueHash: string,
  pending: Pending[P],
): Promise<string> {
  const kept = await sql.first(
    sql.db
      .insertInto('one_time_value')
      .values({
        id: uuidv7(),
        purpose,
        user_id: userId,
        value_hash: valueHash,
        attempts: 0,
        pending: pending && JSON.stringify(pending),
        expires_at: raw<string>`clock_timestamp() + ${lifetimes[purpose]}::text::interval`,
      })
      .returning('expires_at as expiresAt'),
  );
  return kept?.expiresAt ?? fail('INTERNAL', 'nothing was written');
}

/** A new random value; it goes to the user and nowhere else. */
export async function issueValue<P extends Purpose>(
  sql: Session,
  purpose: P,
  userId: string,
  pending: Pending[P],
): Promise<{ value: string; expiresAt: string }> {
  const value = newToken();
  await sql.run(
    sql.db
      .deleteFrom('one_time_value')
      .where('user_id', '=', userId)
      .where('expires_at', '<', raw<string>`now() - interval '30 days'`),
  );
  return { value, expiresAt: await keepValue(sql, purpose, userId, hashOf(value), pending) };
}

/** The one answer to values that do not exist, were used, or never were. */
export const wrongValue = (): never => fail('BAD_INPUT', 'the link or code is wrong or was used already');

/** Whether a value is too old, as a column of what a statement returns. */
export const isOver = raw<boolean>`expires_at <= clock_timestamp()`.as('isOver');

/** The answer to values that are too old. */
export const overdue = (): never => fail('GONE', 'the link or code has expired');

/** Refuses a value that does not exist or was used with BAD_INPUT, one that is too old with GONE. */
export async function checkValue(sql: Session, purposes: readonly Purpose[], value: string): Promise<void> {
  const found = await sql.first(
    sql.db
      .selectFrom('one_time_value')
      .select(isOver)
      .where('value_hash', '=', hashOf(value))
      .where(raw<SqlBool>`purpose = any(${purposes})`)
      .where('used_at', 'is', null),
  );
  if (!found) wrongValue();
  if (found?.isOver) overdue();
}

/** The purpose of a value says what takes effect. */
const isFor = <P extends Purpose>(value: OneTimeValue, purpose: P): value is OneTimeValue & Used<P> =>
  value.purpose === purpose && value.userId !== null;

/**
 * Uses the value that is there in the caller's transaction, once: of several requests at the same moment one succeeds. Its user is locked before
 * it, the order in which a change of the password locks them. Null when it cannot be used.
 */
export async function takeOneTime<P extends Purpose>(
  { em }: Session,
  purpose: P,
  which: { id: string } | { valueHash: string; expiresAt: { $gt: string } },
): Promise<Used<P> | null> {
  const found = await em.findOne(OneTimeValue, which);
  if (!found) return null;
  await em.findOne(User, { id: found.userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const unused = { ...which, usedAt: null };
  const value = await em.findOne(OneTimeValue, unused, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!value || !isFor(value, purpose)) return null;
  value.usedAt = databaseNow();
  return value;
}

/** The same with a random value that is not too old. */
export const takeValue = <P extends Purpose>(sql: Session, purpose: P, value: string): Promise<Used<P> | null> =>
  takeOneTime(sql, purpose, { valueHash: hashOf(value), expiresAt: { $gt: databaseNow() } });

/** The same; refused as `checkValue` does when it cannot be used. */
export async function useValue<P extends Purpose>(sql: Session, purpose: P, value: string): Promise<Used<P>> {
  const used = await takeValue(sql, purpose, value);
  if (used) return used;
  await checkValue(sql, [purpose], value);
  return wrongValue();
}

/** Ends every open value of a user, or those for some purposes. */
export async function spend(sql: Session, userId: string, purposes: readonly Purpose[] | null = null): Promise<void> {
  await sql.run(
    sql.db
      .updateTable('one_time_value')
      .set({ used_at: moment })
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .where(raw<SqlBool>`(${purposes}::text[] is null or purpose = any(${purposes}))`),
  );
}
