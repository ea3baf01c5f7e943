import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { byCaller, permission, platform } from '../../../kernel/declare/policy/policy.js';
import { platformToken, userTokenWithRole } from '../../../kernel/declare/policy/policy-error.js';

/** Whether the caller may approve content. Requires the role CONTENT_CONFIRMER. Platforms without a user token may also approve (decision 22). */
export const canConfirm = ({ user, platform }: Caller): boolean =>
  user ? user.isSuperAdmin || user.roles.has('CONTENT_CONFIRMER') : platform !== null;

const canCreate = ({ user, platform }: Caller): boolean =>
  user ? user.isSuperAdmin || user.roles.has('CONTENT_CREATOR') : platform !== null;

/** Required token of a platform. With a user token, the platform token grants no permissions. */
const platformWithoutUser = { ...platformToken, text: 'a platform token without a user token' };

/** Policy for approvals and declines. A platform with a user token has the permissions of the user. */
export const confirmer = byCaller(
  'a platform, or a user with CONTENT_CONFIRMER',
  'platforms without a user token; users with the role CONTENT_CONFIRMER',
  [...platform.policyNames, ...permission('CONTENT_CONFIRMER').policyNames],
  [platformWithoutUser, userTokenWithRole('CONTENT_CONFIRMER')],
  canConfirm,
);

/** Policy for the creation of sponsors. */
export const creator = byCaller(
  'a platform, or a user with CONTENT_CREATOR',
  'platforms without a user token; users with the role CONTENT_CREATOR',
  [...platform.policyNames, ...permission('CONTENT_CREATOR').policyNames],
  [platformWithoutUser, userTokenWithRole('CONTENT_CREATOR')],
  canCreate,
);
