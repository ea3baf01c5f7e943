import type { Context } from '../../../kernel/declare/context.js';
import { credentialsOf } from '../sign-in/credentials.js';
import { clockTimestamp } from '../users/clock-timestamp.js';
import { hashOf } from './secrets.js';
import { throwInvalidToken } from './tokens.js';

/**
 * Locks the user and the user token of a request in the open transaction. Call it before writes that create other access to the account, such as
 * calendar links. Throws UNAUTHENTICATED if the token was revoked after authentication. A concurrent grant of a role runs before or after the
 * transaction, and so revokes either the placed token or the new access.
 */
export async function lockSession({ client, sql }: Context, userId: string): Promise<void> {
  // Locks the user before the token, like a grant of a role, to avoid deadlocks.
  await sql.first(sql.db.selectFrom('app_user').select('id').where('id', '=', userId).forUpdate());
  const session = await sql.first(
    sql.db
      .selectFrom('user_token')
      .select('id')
      .where('token_hash', '=', hashOf(credentialsOf(client.header).userToken ?? ''))
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', clockTimestamp)
      .forShare(),
  );
  if (!session) throwInvalidToken();
}
