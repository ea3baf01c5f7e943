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

/** Who may tell what others did before a record came here: platforms and admins. */
export const mayReport = ({ platform, user }: Caller): boolean =>
  platform !== null || user?.isSuperAdmin === true || user?.roles.has('ADMIN') === true;

/** Whether a caller can unlock locked records: platforms and super admins can. */
export const mayUnlock = ({ platform, user }: Caller): boolean => platform !== null || user?.isSuperAdmin === true;

/** The platform by which a request comes: the one that asks, or the one whose key was sent. It tells whose, and opens nothing. */
export const platformIdOf = ({ platform, key }: Caller): string | null => platform?.id ?? key?.platformId ?? null;

export const nobody: Caller = { platform: null, key: null, user: null, rejected: false };
