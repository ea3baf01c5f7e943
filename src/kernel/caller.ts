/** A platform that sent a valid PB-API-TOKEN. */
export interface PlatformCaller {
  id: string;
  name: string;
}

/** A person who sent a valid PB-USER-TOKEN. */
export interface UserCaller {
  id: string;
  isSuperAdmin: boolean;
  /** Titles of the roles held, inherited ones included, such as `NEWS_CREATOR`. */
  roles: ReadonlySet<string>;
}

/** Who asks: a platform, a user, both, or nobody (section 5, decision 10). Decided once a request. */
export interface Caller {
  platform: PlatformCaller | null;
  user: UserCaller | null;
  /** A token was sent that is unknown, expired or revoked: the request is refused with 401. */
  rejected: boolean;
}

export const nobody: Caller = { platform: null, user: null, rejected: false };
