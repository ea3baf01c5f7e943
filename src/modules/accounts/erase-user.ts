import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import type { Session } from '../../kernel/session.js';
import { note } from './audit-sql.js';
import { limitsOf } from './limits.js';
import { verifyPassword } from './password.js';
import { passwordCostOf } from './password-cost.js';
import { erasePerson, type PersonTraces } from './personal-data/erase-person-sql.js';
import { callable } from './phone.js';
import { forgetPlacesOf } from './sign-in-places-sql.js';
import { User } from './user.js';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A number in whichever way its digits are parted; fewer than seven digits may be anything. */
const digitsOf = (phone: string): string[] => {
  const digits = phone.replace(/\D/g, '');
  return digits.length < 7 ? [] : [[...digits].join('[ ()./-]{0,2}')];
};

/** What a user is known by in texts; a name of one word is found by the ids beside it only. */
async function tracesOf(
  sql: Session,
  { id, email, phone, firstName, lastName, phoneCountryId, countryId }: User,
): Promise<PersonTraces> {
  const name = firstName && lastName ? `${firstName} ${lastName}` : null;
  const international = phone ? await callable(sql, phone, phoneCountryId ?? countryId) : null;
  const numbers = [phone, international].filter((number) => number !== null);
  const found = [...[name, email].flatMap((text) => (text ? escaped(text) : [])), ...numbers.flatMap(digitsOf)];
  return {
    id,
    name,
    contacts: [email, ...numbers].flatMap((text) => (text ? text.toLowerCase() : [])),
    pattern: found.length > 0 ? `\\+?(?:${found.join('|')})` : '(?!)',
  };
}

/** Users erase themselves with their password, as one changes it; each try counts. */
async function checkOwn(context: Context, userId: string, password: string | null): Promise<void> {
  const { sql } = context;
  await limitsOf(context).take('account.passwords', `user ${userId}`, () => note(sql, 'LOCKED', 'User', userId));
  const own = await sql.first(sql.db.selectFrom('app_user').select('password_hash as hash').where('id', '=', userId));
  if (await verifyPassword(own?.hash ?? null, password ?? '', passwordCostOf(context))) return;
  const expected = 'the password of the account';
  fail('INVALID_CREDENTIALS', `password: expected ${expected}`, { field: 'password', expected });
}

/**
 * Takes a person out of the service: of the user stays the id, under which others keep results, teams and invoices. Admins erase others; whoever
 * asks for their own gives the password.
 */
export async function eraseUser(context: Context, id: string, password: string | null): Promise<string> {
  const { sql, services, caller, loaders } = context;
  if (caller.user?.id === id) await checkOwn(context, id, password);
  const email = await sql.transaction(async (em) => {
    const user = await em.findOne(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) return fail('NOT_FOUND', `no user with the id ${id}`);
    if (user.isSuperAdmin && caller.user?.id !== id && !caller.user?.isSuperAdmin)
      fail('FORBIDDEN', 'a super admin is erased by super admins only');
    const traces = await tracesOf(sql, user);
    await sql.tell();
    await erasePerson(sql, traces);
    await forgetPlacesOf(sql, id);
    await services.outbox.forget(traces, sql);
    await note(sql, 'ERASED', 'User', id);
    em.clear();
    return user.email;
  });
  if (email) for (const rule of ['account.passwords', 'account.messages'] as const) await limitsOf(context).clear(rule, email);
  await limitsOf(context).clear('account.passwords', `user ${id}`);
  loaders.clear();
  services.identifier.forget();
  return id;
}
