/** A platform that sent a valid PB-API-TOKEN. */
export interface PlatformCaller {
  id: string;
  name: string;
}

/** A page or an app that sent a publishable key, which stands for a platform without its rights. */
export interface KeyCaller {
  id: string;
  platformId: string;
}

/** A person who sent a valid user token, in PB-USER-TOKEN or as a bearer. */
export interface UserCaller {
  id: string;
  /** First and last name; empty where none is known. */
  name: string;
  isSuperAdmin: boolean;
  /** Titles of the roles held, inherited ones included, such as `NEWS_CREATOR`. */
  roles: ReadonlySet<string>;
}

/** Who asks: a platform or a key of it, a user, both, or nobody (section 5, decision 10). Decided once a request. */
export interface Caller {
  platform: PlatformCaller | null;
  key: KeyCaller | null;
  user: UserCaller | null;
  /** A token was sent that is unknown, expired or revoked: the request is refused with 401. */
  rejected: boolean;
  /** The rejected token is a user token, and no other token is rejected. */
  isOnlyUserRejected?: boolean;
}

let roleOfAdministrators: string | null = null;

/** Declares the role of administrators, which a module names in its manifest. */
export function declareAdministratorRole(role: string): void {
  if (roleOfAdministrators !== null) throw new Error('two modules declare the role of administrators');
  roleOfAdministrators = role;
}

/** Title of the role of administrators. */
export function administratorRole(): string {
  if (roleOfAdministrators === null) throw new Error('no module declares the role of administrators');
  return roleOfAdministrators;
}

/** Whether the caller is a super admin, or a user with the role of administrators. */
export const isAdministrator = ({ user }: Caller): boolean =>
  user !== null && (user.isSuperAdmin || (roleOfAdministrators !== null && user.roles.has(roleOfAdministrators)));

/** Whether a caller can report who created and changed a record before it was sent here: platforms and administrators can. */
export const mayReport = (caller: Caller): boolean => caller.platform !== null || isAdministrator(caller);

/** Whether a caller can unlock locked records: platforms and super admins can. */
export const mayUnlock = ({ platform, user }: Caller): boolean => platform !== null || user?.isSuperAdmin === true;

/** The platform by which a request comes: the one that asks, or the one whose key was sent. It tells whose, and opens nothing. */
export const platformIdOf = ({ platform, key }: Caller): string | null => platform?.id ?? key?.platformId ?? null;

export const nobody: Caller = { platform: null, key: null, user: null, rejected: false };
