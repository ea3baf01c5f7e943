import type { Caller } from '../../kernel/caller.js';
import type { Row } from '../../kernel/sql.js';

/** Who sees a user's e-mail address, phone, date of birth and postal code: platforms, super admins and the user (decision 36). */
export const seesPrivate = ({ id }: Row, { platform, user }: Caller): boolean =>
  platform !== null || user?.isSuperAdmin === true || user?.id === id;
