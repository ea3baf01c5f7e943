import type { Caller } from '../../../kernel/declare/policy/caller.js';
import type { Row } from '../../../kernel/session.js';

/** Marks the row of a user in the response to a sign-on: the caller is this user, although the request has no user token yet. */
export const markSignedOn = <R extends object>(row: R): R => ({ ...row, $isSignedOn: true });

/** Whether a caller sees the private fields of a user: platforms, super admins and the user do (decision 36). */
export const canSeePrivate = ({ id, $isSignedOn }: Row, { platform, user }: Caller): boolean =>
  platform !== null || user?.isSuperAdmin === true || user?.id === id || $isSignedOn === true;
