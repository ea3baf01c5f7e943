import type { Caller } from '../../kernel/declare/caller.js';
import type { Row } from '../../kernel/session.js';

/** Who sees the code with which referees enter the score app: platforms, referees and admins. */
export const seesRefereeCode = (_: Row, { platform, user }: Caller): boolean =>
  platform !== null || user?.isSuperAdmin === true || ['REFEREE', 'ADMIN'].some((role) => user?.roles.has(role));
