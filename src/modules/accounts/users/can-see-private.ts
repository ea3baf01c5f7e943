import type { Caller } from '../../../kernel/declare/policy/caller.js';
import type { Row } from '../../../kernel/session.js';

/** Marks the row of a user in the response to a sign-in. The caller is this user, although the request has no user token yet. */
export const markSignedOn = <R extends object>(row: R): R => ({ ...row, $isSignedOn: true });

/** Whether a caller can read the private fields of a user. Platforms, super admins and the user can (decision 36). */
export const canSeePrivate = ({ id, $isSignedOn }: Row, { platform, user }: Caller): boolean =>
  platform !== null || user?.isSuperAdmin === true || user?.id === id || $isSignedOn === true;
