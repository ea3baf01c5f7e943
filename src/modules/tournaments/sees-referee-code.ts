import type { Caller } from '../../kernel/declare/policy/caller.js';
import type { Row } from '../../kernel/session.js';

/** Whether the caller can see the referee codes of tournaments. Requires a platform, a referee or an admin. */
export const seesRefereeCode = (_: Row, { platform, user }: Caller): boolean =>
  platform !== null || user?.isSuperAdmin === true || ['REFEREE', 'ADMIN'].some((role) => user?.roles.has(role));
