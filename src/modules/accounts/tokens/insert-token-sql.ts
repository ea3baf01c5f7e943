import { uuidv7 } from 'uuidv7';
import { sqlForWriting } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';

interface NewToken {
  hash: string;
  userId: string;
  device: string | null;
  /** Platform that signs the user in, if any. */
  platformId: string | null;
  /** Password hash that the user must still have. Null skips the check. */
  passwordHash: string | null;
}

/**
 * Inserts a token that is valid for 30 days and deletes tokens of the user that expired more than 30 days ago. Locks the row of the user.
 * Returns null if the user does not exist, is locked or has a different password.
 */
export const insertToken = (
  sql: Session,
  { hash, userId, device, platformId, passwordHash }: NewToken,
): Promise<{ expiresAt: string } | null> =>
  sql.row(
    sqlForWriting(
      ['user_token'],
      `with owner as (select id from app_user where id = $3 and locked_at is null and ($5::text is null or password_hash = $5) for update),
       old as (delete from user_token where user_id = $3 and expires_at < now() - interval '30 days')
     insert into user_token (id, token_hash, user_id, device, platform_id, expires_at)
     select $1, $2, id, $4, $6, clock_timestamp() + interval '30 days' from owner returning expires_at as "expiresAt"`,
      ['app_user'],
    ),
    [uuidv7(), hash, userId, device, passwordHash, platformId],
    { expiresAt: is.text },
  );
