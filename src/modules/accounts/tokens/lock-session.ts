import type { Context } from '../../../kernel/declare/context.js';
import { credentialsOf } from '../sign-in/credentials.js';
import { clockTimestamp } from '../users/clock-timestamp.js';
import { hashOf } from './secrets.js';
import { throwInvalidToken } from './tokens.js';

/**
 * Locks the user and the user token of a request in the open transaction. Throws UNAUTHENTICATED if the token is no longer valid: it may have been
 * revoked since the request was authenticated, and authentication uses a cache. For writes that give access beyond the token. A concurrent grant of a
 * role either runs first and revokes a token that a platform has placed, or runs afterwards and ends the new access.
 */
export async function lockSession({ client, sql }: Context, userId: string): Promise<void> {
  // Locks the user before the token, like a grant does, to avoid deadlocks.
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
