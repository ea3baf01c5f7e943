import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import type { DeletedRows } from '../../../kernel/declare/deleted-ids.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { Session } from '../../../kernel/session.js';
import { addAuditEntry } from '../audit/audit-sql.js';
import { limitsOf } from '../limits/limits.js';
import { verifyPassword } from '../passwords/password.js';
import { passwordCostOf } from '../passwords/password-cost.js';
import { deleteLocationsOf } from '../sign-in/sign-in-locations-sql.js';
import { type ErasedPersonalData, erasePerson } from './personal-data/erase-person-sql.js';
import { internationalPhone } from './phone.js';
import { User } from './user.js';
import { checkSuperAdmin } from './user-rules.js';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const letterOrDigit = /[\p{L}\p{N}]/u;
/** Start of a word. JSON contains escaped line breaks, so the `n` of `\n` does not count as a letter. */
const wordStart = String.raw`(?:(?<![[:alnum:]])|(?<=\\[bfnrt]))`;
const wordEnd = '(?![[:alnum:]])';

/** Returns a regular expression that matches a name, but not as a part of longer words. */
const namePattern = (name: string): string => {
  const characters = [...name];
  const startsWord = letterOrDigit.test(characters.at(0) ?? '');
  const endsWord = letterOrDigit.test(characters.at(-1) ?? '');
  return `${startsWord ? wordStart : ''}${escaped(name)}${endsWord ? wordEnd : ''}`;
};

/** Returns a regular expression that matches an email address, but not as a part of a longer address. */
const emailPattern = (email: string): string => String.raw`(?:(?<![\w.+-])|(?<=\\[bfnrt]))${escaped(email)}(?!\.?[\w-])`;

/**
 * Returns a list with one regular expression, which matches a phone number with any separators, with or without a country code, but not as a
 * part of a longer number. The list is empty if the number has fewer than seven digits, because the expression could match other numbers.
 */
const phonePatterns = (phone: string): string[] => {
  const digits = phone.replace(/\D/g, '');
  const separators = '[ ()./-]{0,2}';
  const countryCode = String.raw`(?:\+\d{1,3}${separators})?`;
  return digits.length < 7 ? [] : [String.raw`(?<!\d)${countryCode}\+?${[...digits].join(separators)}(?!\d)`];
};

/** Returns the personal data to search for in other records. Omits names that consist of a single word, because they are too ambiguous. */
async function erasedPersonalData(
  sql: Session,
  { id, email, phone, firstName, lastName, phoneCountryId, countryId }: User,
): Promise<ErasedPersonalData> {
  const name = firstName && lastName ? `${firstName} ${lastName}` : null;
  const international = phone ? await internationalPhone(sql, phone, phoneCountryId ?? countryId) : null;
  const numbers = [phone, international].filter((number) => number !== null);
  const patterns = [
    ...(name ? [namePattern(name)] : []),
    ...(email ? [emailPattern(email)] : []),
    ...numbers.flatMap(phonePatterns),
  ];
  return {
    id,
    name,
    contacts: [email, ...numbers].flatMap((text) => (text ? text.toLowerCase() : [])),
    pattern: patterns.length > 0 ? patterns.join('|') : '(?!)',
  };
}

/** Verifies the password of users who erase their own account. Each attempt counts against the limit. */
async function checkPasswordOf(context: Context, userId: string, password: string | null): Promise<void> {
  const { sql } = context;
  await limitsOf(context).consume('account.passwords', `user ${userId}`, () => addAuditEntry(sql, 'LOCKED', 'User', userId));
  const user = await sql.first(sql.db.selectFrom('app_user').select('password_hash as hash').where('id', '=', userId));
  if (await verifyPassword(user?.hash ?? null, password ?? '', passwordCostOf(context))) return;
  const expected = 'the password of the account';
  fail('INVALID_CREDENTIALS', `password: expected ${expected}`, { field: 'password', expected });
}

/**
 * Deletes all personal data of a user. The ID remains, because results, teams and invoices refer to it. Users who erase their own account
 * must enter their password. Returns the IDs of the deleted records.
 */
export async function eraseUser(context: Context, id: string, password: string | null): Promise<DeletedRows> {
  const { sql, services, caller, loaders } = context;
  if (caller.user?.id === id) await checkPasswordOf(context, id, password);
  const { email, deletedRows } = await sql.transaction(async (em) => {
    const user = await em.findOne(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) return fail('NOT_FOUND', `no user with the id ${id}`);
    checkSuperAdmin(caller, user, 'erase');
    const personalData = await erasedPersonalData(sql, user);
    await sql.sendActor();
    const deletedRows = await erasePerson(sql, personalData);
    await deleteLocationsOf(sql, id);
    await services.outbox.deleteMessagesAbout(personalData, sql);
    await addAuditEntry(sql, 'ERASED', 'User', id);
    em.clear();
    return { email: user.email, deletedRows };
  });
  if (email) for (const rule of ['account.passwords', 'account.messages'] as const) await limitsOf(context).reset(rule, email);
  await limitsOf(context).reset('account.passwords', `user ${id}`);
  loaders.clear();
  services.authenticator.clearCaches();
  return deletedRows;
}
