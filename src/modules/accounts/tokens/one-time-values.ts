import { LockMode } from '@mikro-orm/core';
import { sql as raw, type SqlBool } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { fail } from '../../../kernel/declare/errors.js';
import type { Session } from '../../../kernel/session.js';
import { clockTimestamp } from '../../../kernel/statement.js';
import { databaseNow } from '../../../kernel/write/entities.js';
import type { PendingChanges, ValuePurpose } from '../registration/pending-changes.js';
import { User } from '../users/user.js';
import { OneTimeValue } from './one-time-value.js';
import { hashOf, newToken } from './secrets.js';

/** Lifetimes of one-time values, as PostgreSQL intervals. */
const lifetimes: Readonly<Record<ValuePurpose, string>> = {
  verifyEmail: '48 hours',
  resetPassword: '1 hour',
  resetByCode: '10 minutes',
  signIn: '5 minutes',
};

interface UsedValue<P extends ValuePurpose> {
  userId: string;
  pending: PendingChanges[P];
}

/** Stores the hash of a one-time value. Returns its expiration time. */
export async function insertValue<P extends ValuePurpose>(
  sql: Session,
  purpose: P,
  userId: string,
  valueHash: string,
  pending: PendingChanges[P],
): Promise<string> {
  const row = await sql.first(
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
  return row?.expiresAt ?? fail('INTERNAL', 'the insert into one_time_value returned no row');
}

/** Creates a random one-time value for a user. Deletes values of the user that expired more than 30 days ago. */
export async function issueValue<P extends ValuePurpose>(
  sql: Session,
  purpose: P,
  userId: string,
  pending: PendingChanges[P],
): Promise<{ value: string; expiresAt: string }> {
  const value = newToken();
  await sql.run(
    sql.db
      .deleteFrom('one_time_value')
      .where('user_id', '=', userId)
      .where('expires_at', '<', raw<string>`now() - interval '30 days'`),
  );
  return { value, expiresAt: await insertValue(sql, purpose, userId, hashOf(value), pending) };
}

/** Throws the same error for used and for unknown values. */
export const throwWrongValue = (): never => fail('BAD_INPUT', 'the link or code is wrong or was used already');

/** SQL column that is true if a value has expired. */
export const isExpiredColumn = raw<boolean>`expires_at <= ${clockTimestamp}`.as('isExpired');

export const throwExpired = (): never => fail('GONE', 'the link or code has expired');

/** Throws BAD_INPUT for an unknown or used value, and GONE for an expired value. */
export async function checkValue(sql: Session, purposes: readonly ValuePurpose[], value: string): Promise<void> {
  const candidate = await sql.first(
    sql.db
      .selectFrom('one_time_value')
      .select(isExpiredColumn)
      .where('value_hash', '=', hashOf(value))
      .where(raw<SqlBool>`purpose = any(${purposes})`)
      .where('used_at', 'is', null),
  );
  if (!candidate) throwWrongValue();
  if (candidate?.isExpired) throwExpired();
}

/** Returns the ID of the user to whom an unused and unexpired link or code belongs, given by its ID or its value. Null if there is none. */
export async function unusedValueOwner(
  sql: Session,
  key: { id: string } | { purpose: ValuePurpose; value: string },
): Promise<string | null> {
  const values = sql.db
    .selectFrom('one_time_value')
    .select('user_id as userId')
    .where('used_at', 'is', null)
    .where('expires_at', '>', clockTimestamp);
  const row = await sql.first(
    'id' in key
      ? values.where('id', '=', key.id)
      : values.where('purpose', '=', key.purpose).where('value_hash', '=', hashOf(key.value)),
  );
  return row?.userId ?? null;
}

/** Narrows a value by its purpose, which determines the type of `pending`. */
const hasPurpose = <P extends ValuePurpose>(value: OneTimeValue, purpose: P): value is OneTimeValue & UsedValue<P> =>
  value.purpose === purpose && value.userId !== null;

/**
 * Marks a value as used in the open transaction. Of several concurrent requests, only one succeeds. To avoid deadlocks, locks the user
 * before the value, as a password change does. Returns null if the value cannot be used.
 */
export async function tryUse<P extends ValuePurpose>(
  { em }: Session,
  purpose: P,
  condition: { id: string } | { valueHash: string; expiresAt: { $gt: string } },
): Promise<UsedValue<P> | null> {
  const row = await em.findOne(OneTimeValue, condition);
  if (!row) return null;
  await em.findOne(User, { id: row.userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const unusedValue = { ...condition, usedAt: null };
  const value = await em.findOne(OneTimeValue, unusedValue, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!value || !hasPurpose(value, purpose)) return null;
  value.usedAt = databaseNow();
  return value;
}

/** Marks a random value as used. Returns null if it is unknown, has been used, or has expired. */
export const tryUseValue = <P extends ValuePurpose>(sql: Session, purpose: P, value: string): Promise<UsedValue<P> | null> =>
  tryUse(sql, purpose, { valueHash: hashOf(value), expiresAt: { $gt: databaseNow() } });

/** Marks a random value as used. Throws the same errors as `checkValue` if the value cannot be used. */
export async function useValue<P extends ValuePurpose>(sql: Session, purpose: P, value: string): Promise<UsedValue<P>> {
  const claimedValue = await tryUseValue(sql, purpose, value);
  if (claimedValue) return claimedValue;
  await checkValue(sql, [purpose], value);
  return throwWrongValue();
}

/** Invalidates the unused values of a user. If `purposes` is given, invalidates only values with these purposes. */
export async function invalidateValues(
  sql: Session,
  userId: string,
  purposes: readonly ValuePurpose[] | null = null,
): Promise<void> {
  await sql.run(
    sql.db
      .updateTable('one_time_value')
      .set({ used_at: clockTimestamp })
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .where(raw<SqlBool>`(${purposes}::text[] is null or purpose = any(${purposes}))`),
  );
}
