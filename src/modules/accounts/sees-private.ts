import type { Caller } from '../../kernel/declare/caller.js';
import type { Row } from '../../kernel/session.js';

/** A user's row as the answer to a sign-on shows it: whoever gets it has just proved to be that user, though no token says so yet. */
export const asSignedOn = <R extends object>(row: R): R => ({ ...row, $isSignedOn: true });

/** Who sees a user's e-mail address, phone, date of birth and postal code: platforms, super admins and the user (decision 36). */
export const seesPrivate = ({ id, $isSignedOn }: Row, { platform, user }: Caller): boolean =>
  platform !== null || user?.isSuperAdmin === true || user?.id === id || $isSignedOn === true;
