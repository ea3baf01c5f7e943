import { type RawBuilder, sql as raw } from 'kysely';
import type { Session } from '../../../kernel/session.js';
import { clockTimestamp } from '../../../kernel/statement.js';
import { revokeLinksOf } from '../calendar/calendar-links.js';
import { removeUnprovenPhone } from '../registration/unproven-phone.js';
import { invalidateValues } from '../tokens/one-time-values.js';
import { revokeTokensOf } from '../tokens/tokens.js';
import type { User } from '../users/user.js';

/**
 * SQL condition on `app_user`: whether the user has rights beyond their own records. True for super admins and for users with any role
 * other than USER. Platforms cannot act as such a user.
 */
export const isElevated: RawBuilder<boolean> = raw<boolean>`(app_user.is_super_admin
  or exists (select from ${raw.table('role')} where role.id = any(app_user.role_ids) and role.title <> 'USER'))`;

/** `device` of tokens that a platform registered with `placeToken`. Refreshed tokens inherit it. */
export const placedTokenDevice = 'placed';

/** `device` of user tokens issued for one-time tokens, which platforms can create with placed tokens. Refreshed tokens inherit it. */
export const oneTimeTokenDevice = 'one-time token';

/** Values of `device` that identify tokens with which a platform can act as the user. */
const platformDevices = [placedTokenDevice, oneTimeTokenDevice];

/**
 * Whether a platform may control the email address of a user. True if a platform changed the address, or if no link mailed to the address
 * has been opened. The second case includes new users that a platform created.
 */
export const hasUnprovenEmail = ({ email, isEmailUnproven, verifiedAt }: User): boolean =>
  isEmailUnproven || (email !== null && verifiedAt === null);

/**
 * Revokes all access that platforms have to an account: placed tokens, one-time tokens with their user tokens, email-change links, codes
 * sent to a phone, and calendar links. If a platform may have set the password or the email address, also removes the password and revokes
 * all other tokens, links and codes.
 */
export async function revokePlatformAccess(sql: Session, user: User): Promise<void> {
  const userId = user.id;
  if (user.isPasswordUnproven || hasUnprovenEmail(user)) {
    removeUnprovenPhone(user);
    Object.assign(user, { passwordHash: null, isPasswordUnproven: false, isEmailUnproven: false });
    await sql.em.flush();
    await revokeTokensOf(sql, userId);
    await invalidateValues(sql, userId);
  }
  await revokeTokensOf(sql, userId, platformDevices);
  await sql.run(
    sql.db
      .deleteFrom('one_time_value')
      .where('user_id', '=', userId)
      .where('purpose', 'in', ['signIn', 'verifyEmail', 'resetByCode']),
  );
  await revokeLinksOf(sql, userId);
}

/** Whether a platform may have access to an account, through a token that it obtained or a password that it may have set. */
export const hasPlatformAccess = async (sql: Session, userId: string): Promise<boolean> =>
  (await sql.first(
    sql.db
      .selectFrom('app_user as u')
      .select('u.id')
      .where('u.id', '=', userId)
      .where(({ or, exists, selectFrom }) =>
        or([
          raw<boolean>`u.is_password_unproven`,
          exists(
            selectFrom('user_token as t')
              .select('t.id')
              .whereRef('t.user_id', '=', 'u.id')
              .where('t.device', 'in', platformDevices)
              .where('t.revoked_at', 'is', null)
              .where('t.expires_at', '>', clockTimestamp),
          ),
        ]),
      ),
  )) !== null;

/** Whether a user has rights beyond their own records. */
export const hasElevatedRights = async (sql: Session, userId: string): Promise<boolean> =>
  (await sql.first(sql.db.selectFrom('app_user').select('id').where('id', '=', userId).where(isElevated))) !== null;
