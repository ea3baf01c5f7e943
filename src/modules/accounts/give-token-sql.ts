import { uuidv7 } from 'uuidv7';
import { writeSql } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';

interface NewToken {
  hash: string;
  userId: string;
  device: string | null;
  /** The password that must still be the user's; null for any. */
  passwordHash: string | null;
}

/**
 * Keeps a token for 30 days and drops the user's that ended long ago; null when there is no such user. One statement, in which the user's row is
 * locked.
 */
export const keepToken = (
  sql: Session,
  { hash, userId, device, passwordHash }: NewToken,
): Promise<{ expiresAt: string } | null> =>
  sql.row(
    writeSql(
      ['user_token'],
      `with owner as (select id from app_user where id = $3 and ($5::text is null or password_hash = $5) for share),
       old as (delete from user_token where user_id = $3 and expires_at < now() - interval '30 days')
     insert into user_token (id, token_hash, user_id, device, expires_at)
     select $1, $2, id, $4, clock_timestamp() + interval '30 days' from owner returning expires_at as "expiresAt"`,
      ['app_user'],
    ),
    [uuidv7(), hash, userId, device, passwordHash],
    { expiresAt: is.text },
  );
