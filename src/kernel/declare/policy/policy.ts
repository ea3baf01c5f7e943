import { Extensions } from 'type-graphql';
import { fail } from '../errors.js';
import { administratorRole, type Caller, isAdministrator } from './caller.js';
import {
  type Credential,
  PolicyError,
  platformTokenCredential,
  publishableKeyCredential,
  userTokenCredential,
  userTokenWithRole,
} from './policy-error.js';

type Args = Record<string, unknown>;

/** Access rule of a field. `permitsCaller` checks only the caller. `permits` also checks the arguments. */
export interface Policy {
  /** Name in the messages of `/v1`, such as `platform`. */
  readonly name: string;
  /** Credentials of permitted callers, for error messages. */
  readonly credentials: readonly Credential[];
  /** Permitted callers, as a plural noun for descriptions, such as `users with the role NEWS_CREATOR`. */
  readonly audience: string;
  /** Policy names for the directive `@policy`. A caller needs only one of them. Empty if all callers are permitted. */
  readonly policyNames: readonly string[];
  /** Required role, if the policy requires one. */
  readonly role?: string;
  /** Argument that the policy requires. For calls without this argument, the policy is ignored and error messages do not mention it. */
  readonly argument?: string;
  permitsCaller(caller: Caller): boolean;
  permits(caller: Caller, args: Args): boolean;
}

/** Creates a policy that depends only on the caller. */
export const callerPolicy = (
  name: string,
  audience: string,
  policyNames: readonly string[],
  credentials: readonly Credential[],
  isPermitted: (caller: Caller) => boolean,
): Policy => ({
  name,
  audience,
  policyNames,
  credentials,
  permitsCaller: isPermitted,
  permits: isPermitted,
});

/** Permits platforms with a valid `PB-API-TOKEN`. */
export const platform = callerPolicy(
  'platform',
  'platforms',
  ['platform'],
  [platformTokenCredential],
  (caller) => caller.platform !== null,
);

/** Permits users with a valid user token. */
export const user = callerPolicy('user', 'signed-in users', ['user'], [userTokenCredential()], (caller) => caller.user !== null);

/** Permits websites and apps with a publishable key, for sign-in. Platforms and users without a key are not permitted. */
export const publishableKeyHolder = callerPolicy(
  'publishable key',
  'pages and apps with a publishable key',
  ['publishable'],
  [publishableKeyCredential],
  (caller) => caller.key !== null,
);

/** Permits all callers with a token or a publishable key, including signed-out visitors. */
export const visitor = callerPolicy(
  'visitor with a key',
  'platforms, signed-in users, and visitors with a publishable key',
  ['platform', 'user', 'publishable'],
  [publishableKeyCredential, userTokenCredential(), platformTokenCredential],
  ({ platform, key, user }) => (platform ?? key ?? user) !== null,
);

/** Permits all callers, with or without a token. */
export const anyone = callerPolicy('anyone', 'everybody', [], [], () => true);

/** Permits super admins. */
export const superAdmin = callerPolicy(
  'super admin',
  'super admins',
  ['super-admin'],
  [userTokenCredential('of a super admin')],
  (caller) => caller.user?.isSuperAdmin === true,
);

/** Permits super admins who pass the ID of a platform in an argument, to act for this platform. */
export const superAdminFor = (argument: string): Policy => ({
  ...superAdmin,
  audience: `super admins who pass \`${argument}\``,
  argument,
  permitsCaller: () => false,
});

/** Permits users who have the role, directly or by inheritance, and super admins. */
export const permission = (role: string): Policy => ({
  ...callerPolicy(
    `role ${role}`,
    `users with the role ${role}`,
    [`role:${role}`, ...superAdmin.policyNames],
    [userTokenWithRole(role)],
    ({ user }) => user !== null && (user.isSuperAdmin || user.roles.has(role)),
  ),
  role,
});

/** Permits users with the administrator role, and super admins. Uses getters, because a module declares the role later. */
export const administrators: Policy = {
  get name() {
    return permission(administratorRole()).name;
  },
  get audience() {
    return permission(administratorRole()).audience;
  },
  get policyNames() {
    return permission(administratorRole()).policyNames;
  },
  get credentials() {
    return permission(administratorRole()).credentials;
  },
  get role() {
    return administratorRole();
  },
  permitsCaller: isAdministrator,
  permits: isAdministrator,
};

/** Permits the user whose ID is passed in an argument (decision 10). */
export const self = (argument: string): Policy => ({
  name: `the user identified by ${argument}`,
  audience: `the user identified by \`${argument}\``,
  policyNames: user.policyNames,
  credentials: [userTokenCredential(`of the user in \`${argument}\``)],
  permitsCaller: (caller) => caller.user !== null,
  permits: (caller, args) => caller.user !== null && caller.user.id === args[argument],
});

/** Decorator: permits callers who meet one of the policies to call a resolver. The service does not start if a root field has no policy. */
export const allow = (...policies: Policy[]): ReturnType<typeof Extensions> => Extensions({ allow: policies });

/** Returns the policies of a field. Null if the field declares none. */
export function policiesOf(extensions: unknown): readonly Policy[] | null {
  const policies = (extensions as { allow?: readonly Policy[] } | undefined)?.allow;
  return policies ?? null;
}

/** Describes the permitted callers, for example `platforms; users with the role ADMIN.` */
export const permittedCallers = (policies: readonly Policy[]): string =>
  `${[...new Set(policies.map(({ audience }) => audience))].join('; ')}.`;

/** Whether `wider` permits all callers that `narrower` permits. */
export const permitsAllOf = (wider: readonly Policy[], narrower: readonly Policy[]): boolean =>
  wider.includes(anyone) || narrower.every((policy) => wider.includes(policy) || (wider.includes(visitor) && policy !== anyone));

/**
 * Throws if no policy permits the caller. The code is UNAUTHENTICATED if the caller has no valid token, or if a policy permits users and
 * the caller has no user token. Otherwise, the code is FORBIDDEN. `field` is the path of the argument that requires the permission.
 */
export function guard(declaredPolicies: readonly Policy[], caller: Caller, args?: Args, field?: string): void {
  if (caller.rejected) fail('UNAUTHENTICATED', 'the token is unknown, expired or revoked');
  const policies = declaredPolicies.filter(
    ({ argument }) => !args || argument === undefined || typeof args[argument] === 'string',
  );
  if (policies.some((policy) => (args ? policy.permits(caller, args) : policy.permitsCaller(caller)))) return;
  const { platform, user, key } = caller;
  const hasUser = user !== null;
  throw new PolicyError({
    policies,
    hasToken: hasUser || platform !== null || key !== null,
    hasUser,
    ...(field ? { field } : {}),
  });
}
