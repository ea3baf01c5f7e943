import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { isAdministrator } from '../../../kernel/declare/policy/caller.js';
import { clockTimestamp } from '../../../kernel/statement.js';
import { User } from '../users/user.js';
import { checkSuperAdmin } from '../users/user-rules.js';
import { invalidateValues } from './one-time-values.js';
import { revokeTokensOf } from './tokens.js';

/** Ends a session of the caller, or any session for administrators. If the session has already ended, keeps the original time. */
export async function endSession(context: Context, id: string): Promise<void> {
  const { sql, services, caller } = context;
  await sql.transaction(async () => {
    const session = await sql.first(
      sql.db
        .selectFrom('user_token as t')
        .leftJoin('app_user as u', 'u.id', 't.user_id')
        .select(['t.user_id as id', 'u.is_super_admin as isSuperAdmin'])
        .where('t.id', '=', id),
    );
    const isVisible = session?.id === caller.user?.id || isAdministrator(caller);
    if (!session || !isVisible) fail('NOT_FOUND', `no session with the id ${id}`);
    checkSuperAdmin(caller, session, 'end the sessions of');
    await sql.run(
      sql.db.updateTable('user_token').set({ revoked_at: clockTimestamp }).where('id', '=', id).where('revoked_at', 'is', null),
    );
  });
  services.authenticator.clearCaches();
}

/** Ends all sessions of a user and invalidates one-time tokens. Throws NOT_FOUND for an unknown user. */
export async function endAllSessions(context: Context, userId: string): Promise<void> {
  const { sql, services, caller } = context;
  await sql.transaction(async (em) => {
    // Waits for concurrent sign-ins and blocks new ones until the end of the transaction.
    const user = await em.findOne(User, { id: userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) return fail('NOT_FOUND', `no user with the id ${userId}`);
    checkSuperAdmin(caller, user, 'end the sessions of');
    await revokeTokensOf(sql, userId);
    await invalidateValues(sql, userId, ['signIn']);
  });
  services.authenticator.clearCaches();
}
