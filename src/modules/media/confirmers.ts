import type { Caller } from '../../kernel/caller.js';
import type { Policy } from '../../kernel/policy.js';

/** Whether a caller confirms what others make: the user of the user token counts, or without one the platform (decision 22). */
export const mayConfirm = ({ user, platform }: Caller): boolean =>
  user ? user.isSuperAdmin || user.roles.has('CONTENT_CONFIRMER') : platform !== null;

const mayCreate = ({ user, platform }: Caller): boolean =>
  user ? user.isSuperAdmin || user.roles.has('CONTENT_CREATOR') : platform !== null;

const acting = (name: string, test: (caller: Caller) => boolean): Policy => ({ name, maybe: test, allows: test });

/** Who approves, unapproves and declines. A platform that names a user acts with that user's permissions. */
export const confirmer = acting('a platform, or a user with CONTENT_CONFIRMER', mayConfirm);

/** Who makes sponsors. */
export const creator = acting('a platform, or a user with CONTENT_CREATOR', mayCreate);
