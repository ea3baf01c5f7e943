/** A platform that sent a valid PB-API-TOKEN. */
export interface PlatformCaller {
  id: string;
  name: string;
}

/** A website or app that sent a publishable key. The key identifies a platform, but has none of its rights. */
export interface KeyCaller {
  id: string;
  platformId: string;
}

/** A user who sent a valid user token, in `PB-USER-TOKEN` or as a bearer token. */
export interface UserCaller {
  id: string;
  /** First and last name. Empty if unknown. */
  name: string;
  isSuperAdmin: boolean;
  /** Titles of the user's roles, including inherited ones, such as `NEWS_CREATOR`. */
  roles: ReadonlySet<string>;
}

/** Authenticated principal of a request: a platform or publishable key, a user, both, or neither (decision 10). */
export interface Caller {
  platform: PlatformCaller | null;
  key: KeyCaller | null;
  user: UserCaller | null;
  /** The request has a token that is unknown, expired or revoked. It fails with status 401. */
  rejected: boolean;
  /** Only the user token is rejected, and no other token. */
  isOnlyUserRejected?: boolean;
}

let administratorRoleTitle: string | null = null;

/** Declares the administrator role. Called for the module that names the role in its manifest. */
export function declareAdministratorRole(role: string): void {
  if (administratorRoleTitle !== null) throw new Error('two modules declare the role of administrators');
  administratorRoleTitle = role;
}

/** Title of the administrator role. */
export function administratorRole(): string {
  if (administratorRoleTitle === null) throw new Error('no module declares the role of administrators');
  return administratorRoleTitle;
}

/** Whether the caller is a super admin, or a user with the administrator role. */
export const isAdministrator = ({ user }: Caller): boolean =>
  user !== null && (user.isSuperAdmin || (administratorRoleTitle !== null && user.roles.has(administratorRoleTitle)));

/** Whether a caller can set the `reported` history of a record. Platforms and administrators can. */
export const canReportHistory = (caller: Caller): boolean => caller.platform !== null || isAdministrator(caller);

/** Whether a caller can unlock locked records: platforms and super admins can. */
export const canUnlock = ({ platform, user }: Caller): boolean => platform !== null || user?.isSuperAdmin === true;

/** ID of the platform of a request, by its token or publishable key. It attributes the request, but grants no rights. */
export const platformIdOf = ({ platform, key }: Caller): string | null => platform?.id ?? key?.platformId ?? null;

export const anonymousCaller: Caller = { platform: null, key: null, user: null, rejected: false };
