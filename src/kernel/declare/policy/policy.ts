import { Extensions } from 'type-graphql';
import { fail } from '../errors.js';
import { administratorRole, type Caller, isAdministrator } from './caller.js';
import { type Credential, PolicyError, platformToken, publishableKey, userToken, userTokenWithRole } from './policy-error.js';

type Args = Record<string, unknown>;

/** Access rule of a field. `permitsCaller` checks only the caller. `permits` also checks the arguments. */
export interface Policy {
  /** Name in messages of `/v1`: `platform`. */
  readonly name: string;
  /** Credentials that satisfy it, for error messages. */
  readonly credentials: readonly Credential[];
  /** Permitted callers for descriptions, in the plural: `users with the role NEWS_CREATOR`. */
  readonly audience: string;
  /** Policy names for the directive `@policy`. A caller needs only one of them. Empty if everybody is permitted. */
  readonly policyNames: readonly string[];
  /** Required role, if the policy requires one. */
  readonly role?: string;
  permitsCaller(caller: Caller): boolean;
  permits(caller: Caller, args: Args): boolean;
}

/** Creates a policy that depends on the caller alone. */
export const byCaller = (
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

/** A platform with a valid `PB-API-TOKEN`. */
export const platform = byCaller('platform', 'platforms', ['platform'], [platformToken], (caller) => caller.platform !== null);

/** A user with a valid user token. */
export const user = byCaller('user', 'signed-in users', ['user'], [userToken()], (caller) => caller.user !== null);

/** A website or app with a publishable key of a platform, for sign-in. Platforms and users without a key are not permitted. */
export const publishable = byCaller(
  'publishable key',
  'pages and apps with a publishable key',
  ['publishable'],
  [publishableKey],
  (caller) => caller.key !== null,
);

/** Everybody with a token or a publishable key, including signed-out visitors. */
export const visitor = byCaller(
  'visitor with a key',
  'platforms, signed-in users, and visitors with a publishable key',
  ['platform', 'user', 'publishable'],
  [publishableKey, userToken(), platformToken],
  ({ platform, key, user }) => (platform ?? key ?? user) !== null,
);

/** Everybody, with or without a token. */
export const anyone = byCaller('anyone', 'everybody', [], [], () => true);

/** A super admin. */
export const superAdmin = byCaller(
  'super admin',
  'super admins',
  ['super-admin'],
  [userToken('of a super admin')],
  (caller) => caller.user?.isSuperAdmin === true,
);

/** Users who have the role, directly or by inheritance, and super admins. */
export const permission = (role: string): Policy => ({
  ...byCaller(
    `role ${role}`,
    `users with the role ${role}`,
    [`role:${role}`, ...superAdmin.policyNames],
    [userTokenWithRole(role)],
    ({ user }) => user !== null && (user.isSuperAdmin || user.roles.has(role)),
  ),
  role,
});

/** Users with the administrator role, and super admins. Uses getters, because a module declares the role later. */
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

/** The user with the ID in an argument (decision 10). */
export const self = (argument: string): Policy => ({
  name: `the user named by ${argument}`,
  audience: `the user whom \`${argument}\` names`,
  policyNames: user.policyNames,
  credentials: [userToken(`of the user in \`${argument}\``)],
  permitsCaller: (caller) => caller.user !== null,
  permits: (caller, args) => caller.user !== null && caller.user.id === args[argument],
});

/** Decorator: permits callers that meet any of the policies to call a resolver. The service does not start if a root field has none. */
export const allow = (...policies: Policy[]): ReturnType<typeof Extensions> => Extensions({ allow: policies });

/** Policies of a field. Null if it declares none. */
export function policiesOf(extensions: unknown): readonly Policy[] | null {
  const policies = (extensions as { allow?: readonly Policy[] } | undefined)?.allow;
  return policies ?? null;
}

/** Permitted callers, for descriptions: `platforms; users with the role ADMIN.` */
export const permittedCallers = (policies: readonly Policy[]): string =>
  `${[...new Set(policies.map(({ audience }) => audience))].join('; ')}.`;

/** Whether `wider` permits all callers that `narrower` permits. */
export const covers = (wider: readonly Policy[], narrower: readonly Policy[]): boolean =>
  wider.includes(anyone) || narrower.every((policy) => wider.includes(policy) || (wider.includes(visitor) && policy !== anyone));

/**
 * Throws if no policy permits the caller: UNAUTHENTICATED without a valid token, or without a user token if a policy permits users;
 * FORBIDDEN otherwise. `field` is the path of the argument that requires the permission.
 */
export function guard(policies: readonly Policy[], caller: Caller, args?: Args, field?: string): void {
  if (caller.rejected) fail('UNAUTHENTICATED', 'the token is unknown, expired or revoked');
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
