/** Platform that sent a valid `PB-API-TOKEN`. */
export interface PlatformCaller {
  id: string;
  name: string;
}

/** Website or app that sent a publishable key. The key identifies a platform, but grants none of its permissions. */
export interface KeyCaller {
  id: string;
  platformId: string;
}

/** User who sent a valid user token, in `PB-USER-TOKEN` or as a bearer token. */
export interface UserCaller {
  id: string;
  /** First and last name. Empty if unknown. */
  name: string;
  isSuperAdmin: boolean;
  /** Titles of the user's roles, including inherited ones, such as `NEWS_CREATOR`. */
  roles: ReadonlySet<string>;
}

/** Authenticated principal of a request: a platform or a publishable key, a user, both, or neither (decision 10). */
export interface Caller {
  platform: PlatformCaller | null;
  key: KeyCaller | null;
  user: UserCaller | null;
  /** Whether the request has a token that is unknown, expired or revoked. Such requests fail with status 401. */
  rejected: boolean;
  /** Whether the user token is the only rejected token. */
  isOnlyUserRejected?: boolean;
}

let administratorRoleTitle: string | null = null;

/** Declares the title of the administrator role, from the manifest of a module. */
export function declareAdministratorRole(role: string): void {
  if (administratorRoleTitle !== null) throw new Error('the administrator role is declared twice');
  administratorRoleTitle = role;
}

/** Returns the title of the administrator role. Throws if no module declares the role. */
export function administratorRole(): string {
  if (administratorRoleTitle === null) throw new Error('no module declares the administrator role');
  return administratorRoleTitle;
}

/** Whether the caller is a super admin, or a user with the administrator role. */
export const isAdministrator = ({ user }: Caller): boolean =>
  user !== null && (user.isSuperAdmin || (administratorRoleTitle !== null && user.roles.has(administratorRoleTitle)));

/** Whether a caller can set fields with the option `isReported`. Platforms and administrators can. */
export const canReportHistory = (caller: Caller): boolean => caller.platform !== null || isAdministrator(caller);

/** Whether a caller can unlock locked records. Platforms and super admins can. */
export const canUnlockRecords = ({ platform, user }: Caller): boolean => platform !== null || user?.isSuperAdmin === true;

/** Returns the ID of the platform that a request belongs to, from its token or publishable key. The ID does not grant any permission. */
export const platformIdOf = ({ platform, key }: Caller): string | null => platform?.id ?? key?.platformId ?? null;

export const anonymousCaller: Caller = { platform: null, key: null, user: null, rejected: false };
