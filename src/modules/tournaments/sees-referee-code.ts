import type { Caller } from '../../kernel/declare/policy/caller.js';
import type { Row } from '../../kernel/session.js';

/** Whether the caller sees the referee codes of tournaments: platforms, referees and admins do. */
export const seesRefereeCode = (_: Row, { platform, user }: Caller): boolean =>
  platform !== null || user?.isSuperAdmin === true || ['REFEREE', 'ADMIN'].some((role) => user?.roles.has(role));
