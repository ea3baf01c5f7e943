import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/declare/context.js';
import { folded } from '../../kernel/declare/email.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import { metaOf } from '../../kernel/declare/meta.js';
import type { Values } from '../../kernel/declare/options.js';
import { allOf, allOfThese } from '../../kernel/declare/problems.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import type { Session } from '../../kernel/session.js';
import { valuesOf } from '../../kernel/write/input-values.js';
import { update, upsert } from '../../kernel/write/save.js';
import { templates } from '../../messaging/ports.js';
import { checkProfile } from './check-profile.js';
import { hasRole } from './elevated.js';
import { linkTo } from './links.js';
import { withMinimumDuration } from './minimum-duration.js';
import { takeMessage } from './take-message.js';
import { User } from './user.js';
import { mailVerification } from './verify-email.js';

/** Saves a user: with a user token the caller's own record and no other, else any, by a platform (decision 36). */
export const saveUser = (
  context: Context,
  input: Values,
  returning: readonly string[],
  ifVersion: number | null,
): Promise<RowOf<User>> => {
  const { user, platform } = context.caller;
  if (user) return saveProfile(context, user.id, input, returning, ifVersion);
  return platform ? saveAny(context, platform.id, input, returning, ifVersion) : fail('UNAUTHENTICATED', 'a token is needed');
};

/** A platform creates or updates; super admins are out of its reach, or its token would open what theirs does. */
async function saveAny(
  context: Context,
  platformId: string,
  input: Values,
  returning: readonly string[],
  ifVersion: number | null,
): Promise<RowOf<User>> {
  valuesOf(metaOf(User), input);
  const { sql } = context;
  sql.writes();
  const { id } = input;
  const changed =
    typeof id === 'string' && id
      ? await sql.transaction(async (em) => {
          // Locked, because a user can become a super admin at the same moment.
          const known = await em.findOne(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
          if (known?.isSuperAdmin) fail('FORBIDDEN', 'a super admin is changed by nobody else');
          if (known) await checkContact(sql, known, input);
          return known ? upsert(context, User, input, returning, {}, { ifVersion }) : null;
        })
      : null;
  return changed ?? upsert(context, User, input, returning, { platformId }, { ifVersion });
}

/** Fields to which password resets are sent. */
const contactFields = ['email', 'phone', 'phoneCountryId'] as const;

/**
 * FORBIDDEN for a platform that changes where the reset of a password is sent, if the user has a role. A platform that changes the address of
 * another user may have chosen the password.
 */
async function checkContact(sql: Session, known: User, input: Values): Promise<void> {
  const isChanged = (field: (typeof contactFields)[number]) => {
    const given = input[field];
    return Boolean(given) && (field === 'email' ? folded(String(given)) : given) !== known[field];
  };
  const changed = contactFields.find(isChanged);
  if (!changed) return;
  if (!(await hasRole(sql, known.id))) {
    if (changed === 'email') known.isPasswordUnproven = true;
    return sql.em.flush();
  }
  const field = `input.${changed}`;
  fail('FORBIDDEN', `${field}: platforms cannot change it for users with a role other than USER`, { field });
}

/** What is wrong with a profile of a user as such. */
function checkShape(userId: string, { id, createdAt: _, ...profile }: Values): void {
  allOf(
    () => (id ?? userId) === userId || reject('input.id', 'the id of the signed-in user, or none'),
    () => valuesOf(metaOf(User), profile),
  );
}

/** Saves a profile of which everything is what it says; `saveUser` keeps what is sent. */
export async function updateProfile(
  context: Context,
  userId: string,
  input: Values,
  returning: readonly string[],
  ifVersion: number | null,
): Promise<RowOf<User>> {
  await allOfThese(
    () => checkShape(userId, input),
    () => checkProfile(context, userId, input),
  );
  return saveProfile(context, userId, input, returning, ifVersion);
}

/** Users change everything of themselves but their address, which a mail to the new one has to confirm first; BAD_INPUT names another id. */
async function saveProfile(
  context: Context,
  userId: string,
  input: Values,
  returning: readonly string[],
  ifVersion: number | null,
): Promise<RowOf<User>> {
  checkShape(userId, input);
  const { id: _, createdAt: __, email, ...profile } = input;
  const address = typeof email === 'string' && email !== '' ? folded(email) : null;
  const { sql } = context;
  const mine = address ? await sql.first(sql.db.selectFrom('app_user').select('email').where('id', '=', userId)) : null;
  if (!address || !mine || mine.email === address) return update(context, User, userId, profile, returning, {}, { ifVersion });
  await takeMessage(context, address, userId);
  return withMinimumDuration(context, () =>
    sql.transaction(async () => {
      await askForAddress(context, userId, mine.email, address);
      return update(context, User, userId, profile, returning, {}, { ifVersion });
    }),
  );
}

/** The new address learns of it in either case; whether it was taken is told to its owner only. */
async function askForAddress(context: Context, userId: string, from: string | null, address: string): Promise<void> {
  const { sql, services } = context;
  if (await sql.first(sql.db.selectFrom('app_user').select('id').where('email', '=', address))) {
    return services.outbox.enqueue(templates.accountExists({ to: address }), sql, 'counted');
  }
  return mailVerification(context, userId, { address, from }, await linkTo(context, 'verifyEmail', null));
}
