import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { runAsyncChecks, runChecks } from '../../../kernel/declare/problems.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import type { Session } from '../../../kernel/session.js';
import { legacyValuesIn, valuesOf } from '../../../kernel/write/input-values.js';
import { update, upsert } from '../../../kernel/write/save.js';
import { templates } from '../../../messaging/ports.js';
import { countMessage } from '../limits/limits.js';
import { createLinkBuilder } from '../links.js';
import { mailVerification } from '../registration/verify-email.js';
import { hasElevatedRights, hasPlatformAccess } from '../sign-in/elevated.js';
import { withMinimumDuration } from '../sign-in/minimum-duration.js';
import { lockSession } from '../tokens/tokens.js';
import { checkProfile } from './check-profile.js';
import { User } from './user.js';

/**
 * Saves a user. With a user token, the caller can save only their own record. Platforms can save any user except super admins (decision
 * 36).
 */
export const saveUser = (
  context: Context,
  input: Values,
  returning: readonly string[],
  ifVersion: number | null,
): Promise<RowOf<User>> => {
  const { user, platform } = context.caller;
  if (user) return saveProfile(context, user.id, input, returning, ifVersion);
  return platform
    ? saveForPlatform(context, platform.id, input, returning, ifVersion)
    : fail('UNAUTHENTICATED', 'Authentication required: send a token');
};

/** Creates or updates a user for a platform. Throws FORBIDDEN for super admins, because a platform must not take over their accounts. */
async function saveForPlatform(
  context: Context,
  platformId: string,
  input: Values,
  returning: readonly string[],
  ifVersion: number | null,
): Promise<RowOf<User>> {
  valuesOf(metaOf(User), input);
  const { sql } = context;
  sql.usePrimary();
  const { id } = input;
  const updatedUser =
    typeof id === 'string' && id
      ? await sql.transaction(async (em) => {
          // The lock prevents a concurrent promotion to super admin.
          const user = await em.findOne(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
          if (user?.isSuperAdmin) fail('FORBIDDEN', 'platforms cannot change super admins');
          if (user) await checkContactChange(sql, user, { ...input, ...legacyValuesIn(input) });
          return user ? upsert(context, User, input, returning, {}, { ifVersion }) : null;
        })
      : null;
  return updatedUser ?? upsert(context, User, input, returning, { platformId }, { ifVersion });
}

/** Fields that determine where password resets are sent. */
const contactFields = ['email', 'phone', 'phoneCountryId'] as const;

/**
 * Throws FORBIDDEN if a platform changes a contact field of a user with a role other than USER. If a platform changes the email address of
 * any other user, marks the address and the password as unconfirmed.
 */
async function checkContactChange(sql: Session, user: User, input: Values): Promise<void> {
  const isChanged = (field: (typeof contactFields)[number]) => {
    const value = input[field];
    return Boolean(value) && (field === 'email' ? normalizeEmail(String(value)) : value) !== user[field];
  };
  const field = contactFields.find(isChanged);
  if (!field) return;
  if (!(await hasElevatedRights(sql, user.id))) {
    if (field === 'email') Object.assign(user, { isEmailUnproven: true, isPasswordUnproven: true });
    return sql.em.flush();
  }
  const path = `input.${field}`;
  fail('FORBIDDEN', `${path}: platforms cannot change this field for users with a role other than USER`, { field: path });
}

/** Rejects a profile that contains the ID of another user or invalid values. */
function checkInput(userId: string, { id, createdAt: _, ...profile }: Values): void {
  runChecks(
    () => (id ?? userId) === userId || reject('input.id', 'the id of the signed-in user, or none'),
    () => valuesOf(metaOf(User), profile),
  );
}

/** Saves the profile of a user. Unlike `saveUser`, it rejects invalid phone numbers, countries, states and dates of birth. */
export async function updateProfile(
  context: Context,
  userId: string,
  input: Values,
  returning: readonly string[],
  ifVersion: number | null,
): Promise<RowOf<User>> {
  await runAsyncChecks(
    () => checkInput(userId, input),
    () => checkProfile(context, userId, input),
  );
  return saveProfile(context, userId, input, returning, ifVersion);
}

/**
 * Saves the profile of the signed-in user. A new email address takes effect after its verification. Throws BAD_INPUT if the input contains
 * another ID.
 */
async function saveProfile(
  context: Context,
  userId: string,
  input: Values,
  returning: readonly string[],
  ifVersion: number | null,
): Promise<RowOf<User>> {
  checkInput(userId, input);
  const { id: _, createdAt: __, email, ...profile } = input;
  const address = typeof email === 'string' && email !== '' ? normalizeEmail(email) : null;
  const { sql } = context;
  const storedUser = address ? await sql.first(sql.db.selectFrom('app_user').select('email').where('id', '=', userId)) : null;
  if (!address || !storedUser || storedUser.email === address) {
    const save = () => update(context, User, userId, profile, returning, {}, { ifVersion });
    if (contactFields.every((field) => profile[field] === undefined)) return save();
    return sql.transaction(async () => {
      await lockSession(context, userId);
      return save();
    });
  }
  await countMessage(context, address, userId);
  return withMinimumDuration(context, () =>
    sql.transaction(async () => {
      await lockSession(context, userId);
      await requestAddressChange(context, userId, storedUser.email, address);
      return update(context, User, userId, profile, returning, {}, { ifVersion });
    }),
  );
}

/** Emails a verification link to the new address. If another account has the address, the email says so and contains no link. */
async function requestAddressChange(
  context: Context,
  userId: string,
  currentAddress: string | null,
  address: string,
): Promise<void> {
  const { sql, services } = context;
  if (await sql.first(sql.db.selectFrom('app_user').select('id').where('email', '=', address))) {
    return services.outbox.enqueue(templates.accountExistsMail({ to: address }), sql, 'counted');
  }
  const isUnproven = await hasPlatformAccess(sql, userId);
  return mailVerification(
    context,
    userId,
    { address, from: currentAddress, isUnproven },
    await createLinkBuilder(context, 'verifyEmail', null),
  );
}
