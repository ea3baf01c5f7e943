import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { callerPolicy, type Policy, permission, platform } from '../../../kernel/declare/policy/policy.js';
import { platformTokenCredential, userTokenWithRole } from '../../../kernel/declare/policy/policy-error.js';

/** Credential of a platform. If the request also has a user token, the permissions depend only on the user. */
const platformWithoutUser = { ...platformTokenCredential, text: 'a platform token without a user token' };

/**
 * Policy for users with a role, and for platforms without a user token (decision 22). A platform with a user token has the permissions of
 * the user.
 */
const contentPolicy = (role: string): Policy =>
  callerPolicy(
    `a platform, or a user with ${role}`,
    `platforms without a user token; users with the role ${role}`,
    [...platform.policyNames, ...permission(role).policyNames],
    [platformWithoutUser, userTokenWithRole(role)],
    ({ user, platform }) => (user ? user.isSuperAdmin || user.roles.has(role) : platform !== null),
  );

/** Policy for confirmers, who can approve and decline items: users with the role CONTENT_CONFIRMER, and platforms without a user token. */
export const confirmerPolicies = contentPolicy('CONTENT_CONFIRMER');

/** Policy for creating sponsors. */
export const sponsorCreatorPolicy = contentPolicy('CONTENT_CREATOR');

/** Whether the caller is a confirmer. */
export const canConfirm = (caller: Caller): boolean => confirmerPolicies.permitsCaller(caller);
