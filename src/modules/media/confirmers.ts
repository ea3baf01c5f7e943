import type { Caller } from '../../kernel/declare/caller.js';
import { byCaller, permission, platform } from '../../kernel/declare/policy.js';

/** Whether a caller confirms what others make: the user of the user token counts, or without one the platform (decision 22). */
export const mayConfirm = ({ user, platform }: Caller): boolean =>
  user ? user.isSuperAdmin || user.roles.has('CONTENT_CONFIRMER') : platform !== null;

const mayCreate = ({ user, platform }: Caller): boolean =>
  user ? user.isSuperAdmin || user.roles.has('CONTENT_CREATOR') : platform !== null;

/** Who approves, unapproves and declines. A platform that names a user acts with that user's permissions. */
export const confirmer = byCaller(
  'a platform, or a user with CONTENT_CONFIRMER',
  'platforms without a user token; users with the role CONTENT_CONFIRMER',
  [...platform.rights, ...permission('CONTENT_CONFIRMER').rights],
  mayConfirm,
);

/** Who makes sponsors. */
export const creator = byCaller(
  'a platform, or a user with CONTENT_CREATOR',
  'platforms without a user token; users with the role CONTENT_CREATOR',
  [...platform.rights, ...permission('CONTENT_CREATOR').rights],
  mayCreate,
);
