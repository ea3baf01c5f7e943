import { Extensions } from 'type-graphql';
import { administratorRole, type Caller, isAdministrator } from './caller.js';
import { fail } from './errors.js';
import { type Credential, PolicyError, platformToken, publishableKey, userToken, userTokenWithRole } from './policy-error.js';

type Args = Record<string, unknown>;

/** A rule about who may call a field. `maybe` judges before the arguments are known, `allows` with them. */
export interface Policy {
  /** Name in messages of `/v1`: `platform`. */
  readonly name: string;
  /** Credentials that satisfy it, for error messages. */
  readonly requires: readonly Credential[];
  /** As descriptions say it, in the plural: `users with the role NEWS_CREATOR`. */
  readonly who: string;
  /** Whom it lets in, as `@policy` tells routers: any of these is enough, and for everybody there is none. */
  readonly rights: readonly string[];
  /** Required role, if the policy is about one role. */
  readonly role?: string;
  maybe(caller: Caller): boolean;
  allows(caller: Caller, args: Args): boolean;
}

/** A policy that looks at nothing but the caller. */
export const byCaller = (
  name: string,
  who: string,
  rights: readonly string[],
  requires: readonly Credential[],
  test: (caller: Caller) => boolean,
): Policy => ({
  name,
  who,
  rights,
  requires,
  maybe: test,
  allows: test,
});

/** A platform, known by its PB-API-TOKEN (letter A of the interface document). */
export const platform = byCaller('platform', 'platforms', ['platform'], [platformToken], (caller) => caller.platform !== null);

/** A signed-in user, known by the PB-USER-TOKEN (letter U). */
export const user = byCaller('user', 'signed-in users', ['user'], [userToken()], (caller) => caller.user !== null);

/** A page or an app that sent a publishable key of a platform: for the rootFields of sign-on. It lets in nobody who has no key. */
export const publishable = byCaller(
  'publishable key',
  'pages and apps with a publishable key',
  ['publishable'],
  [publishableKey],
  (caller) => caller.key !== null,
);

/** What signed-out visitors may read: everybody with a token, or with the publishable key of a platform. */
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

/** A user who holds the role, directly, by inheritance, or as super admin. */
export const permission = (role: string): Policy => ({
  ...byCaller(
    `role ${role}`,
    `users with the role ${role}`,
    [`role:${role}`, ...superAdmin.rights],
    [userTokenWithRole(role)],
    ({ user }) => user !== null && (user.isSuperAdmin || user.roles.has(role)),
  ),
  role,
});

/** Users with the role of administrators. Its texts are read after a module has declared that role. */
export const administrators: Policy = {
  get name() {
    return permission(administratorRole()).name;
  },
  get who() {
    return permission(administratorRole()).who;
  },
  get rights() {
    return permission(administratorRole()).rights;
  },
  get requires() {
    return permission(administratorRole()).requires;
  },
  get role() {
    return administratorRole();
  },
  maybe: isAdministrator,
  allows: isAdministrator,
};

/** The user whose id the argument holds (decision 10). */
export const self = (argument: string): Policy => ({
  name: `the user named by ${argument}`,
  who: `the user whom \`${argument}\` names`,
  rights: user.rights,
  requires: [userToken(`of the user in \`${argument}\``)],
  maybe: (caller) => caller.user !== null,
  allows: (caller, args) => caller.user !== null && caller.user.id === args[argument],
});

/** States on a resolver who may call it: any one of the policies is enough. A root field without one stops the boot. */
export const allow = (...policies: Policy[]): ReturnType<typeof Extensions> => Extensions({ allow: policies });

/** The policies of a field; null when it states none. */
export function policiesOf(extensions: unknown): readonly Policy[] | null {
  const found = (extensions as { allow?: readonly Policy[] } | undefined)?.allow;
  return found ?? null;
}

/** Who is let in, for descriptions: `platforms; users with the role ADMIN.` */
export const whoOf = (policies: readonly Policy[]): string => `${[...new Set(policies.map(({ who }) => who))].join('; ')}.`;

/** Whether everybody whom some policies let in is let in by others, too. */
export const covers = (wider: readonly Policy[], narrower: readonly Policy[]): boolean =>
  wider.includes(anyone) || narrower.every((policy) => wider.includes(policy) || (wider.includes(visitor) && policy !== anyone));

/**
 * Throws if no policy permits the caller: UNAUTHENTICATED without a valid token, or without a user token if a policy permits users;
 * FORBIDDEN otherwise. `field` is the path of the argument that requires the permission.
 */
export function guard(policies: readonly Policy[], caller: Caller, args?: Args, field?: string): void {
  if (caller.rejected) fail('UNAUTHENTICATED', 'the token is unknown, expired or revoked');
  if (policies.some((policy) => (args ? policy.allows(caller, args) : policy.maybe(caller)))) return;
  const { platform, user, key } = caller;
  const hasUser = user !== null;
  throw new PolicyError({
    policies,
    hasToken: hasUser || platform !== null || key !== null,
    hasUser,
    ...(field ? { field } : {}),
  });
}
