import { type RawBuilder, sql as raw } from 'kysely';
import type { Session } from '../../kernel/session.js';
import { moment } from './moment.js';

/**
 * SQL of whether a user of `app_user` may do more than with own records: super admins, and holders of any role but USER. Platforms cannot
 * act as such a user.
 */
export const isElevated: RawBuilder<boolean> = raw<boolean>`(app_user.is_super_admin
  or exists (select from role where role.id = any(app_user.role_ids) and role.title <> 'USER'))`;

/** The `device` of tokens that a platform placed. Tokens that replace them keep it. */
export const placedByPlatform = 'placed';

/** Ends everything by which a platform may act as a user: placed tokens, one-time tokens and links that change the email address. */
export async function endPlatformAccess(sql: Session, userId: string): Promise<void> {
  await sql.run(
    sql.db
      .updateTable('user_token')
      .set({ revoked_at: moment })
      .where('user_id', '=', userId)
      .where('device', '=', placedByPlatform)
      .where('revoked_at', 'is', null),
  );
  await sql.run(
    sql.db.deleteFrom('one_time_value').where('user_id', '=', userId).where('purpose', 'in', ['signIn', 'verifyEmail']),
  );
}
