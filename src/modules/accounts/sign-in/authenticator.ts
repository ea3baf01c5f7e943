import { fail } from '../../../kernel/declare/errors.js';
import type { Caller, KeyCaller, PlatformCaller, UserCaller } from '../../../kernel/declare/policy/caller.js';
import { isTrustedHost } from '../../../kernel/network.js';
import { type Pools, Session } from '../../../kernel/session.js';
import { allowsOrigin, originPatterns } from '../platforms/origins.js';
import { hashOf } from '../tokens/secrets.js';
import { TokenCache } from '../tokens/token-cache.js';
import { findKey, findKeyForOrigin, findPlatform, findTokenOwner, findUser } from './authenticator-sql.js';
import { credentialsOf, findPublishableKey, type ReadHeader } from './credentials.js';

type Key = KeyCaller & { readonly origins: readonly string[] };

/** Authenticates requests by their token headers (section 5). Caches tokens and keys for 0.5 s. */
export class Authenticator {
  readonly #platforms = new TokenCache((token) => findPlatform(this.#sql(), hashOf(token)));
  readonly #keys = new TokenCache((key) => findKey(this.#sql(), hashOf(key)));
  readonly #users = new TokenCache((token) => findTokenOwner(this.#sql(), hashOf(token)));

  readonly #origins = new TokenCache((origin) => findKeyForOrigin(this.#sql(), originPatterns(origin)));

  /** `publicUrl` is the public URL of the service, if it is configured. */
  constructor(
    readonly pools: Pools,
    readonly publicUrl: string | null = null,
  ) {}

  /** Clears the caches, so that this process rejects revoked tokens and keys immediately. */
  clearCaches(): void {
    for (const cache of [this.#platforms, this.#keys, this.#users, this.#origins]) cache.clear();
  }

  /**
   * Returns the caller of a request. Throws BAD_INPUT for contradictory headers, and FORBIDDEN if the key does not allow the origin of the
   * page.
   */
  async identify(header: ReadHeader): Promise<Caller> {
    const { apiToken, key: keyText, userToken } = credentialsOf(header);
    const keyLookup = keyText ? this.#keys.get(keyText) : null;
    const key = keyLookup instanceof Promise ? await keyLookup : keyLookup;
    if (key && !this.#isOwnPage(header)) checkOrigin(key, header('origin'));
    const platformLookup = apiToken && !key ? this.#platforms.get(apiToken) : null;
    const platform: PlatformCaller | null = platformLookup instanceof Promise ? await platformLookup : platformLookup;
    const userLookup = userToken ? this.#users.get(userToken) : null;
    const user = userLookup instanceof Promise ? await userLookup : userLookup;
    const isPlatformRejected = Boolean((apiToken ?? keyText) && !platform && !key);
    const isUserRejected = Boolean(userToken && !user);
    return {
      platform,
      key: key && { id: key.id, platformId: key.platformId },
      user,
      rejected: isPlatformRejected || isUserRejected,
      isOnlyUserRejected: isUserRejected && !isPlatformRejected,
    };
  }

  /** Whether the publishable key of a request allows pages of the request's origin to read the response. Null without a valid key. */
  allowsOrigin(header: ReadHeader): Promise<boolean | null> | null {
    const key = findPublishableKey(header);
    if (key === undefined) return null;
    return Promise.resolve(this.#keys.get(key)).then((key) => key && allowsOrigin(key.origins, header('origin') ?? ''));
  }

  /** Whether any key allows an origin. */
  isOriginOfKey(origin: string): Promise<boolean> {
    return Promise.resolve(this.#origins.get(origin)).then((key) => key !== null);
  }

  /** Finds the user on whose behalf a platform acts, with direct and inherited roles. Null for an unknown ID. */
  findUser(sql: Session, id: string): Promise<UserCaller | null> {
    return findUser(sql, id);
  }

  /** Whether a page of this service sent the request. Such pages may use any publishable key. */
  #isOwnPage(header: ReadHeader): boolean {
    const host = header('host');
    return URL.parse(header('origin') ?? '')?.host === host && isTrustedHost(host, this.publicUrl);
  }

  #sql(): Session {
    return new Session(this.pools, 'write');
  }
}

/** Rejects requests from pages whose origin the key does not allow. Apps and servers send no Origin header. */
function checkOrigin({ origins }: Key, origin: string | undefined): void {
  if (origin === undefined || allowsOrigin(origins, origin)) return;
  fail('FORBIDDEN', `the publishable key does not allow pages of ${origin}: add it to the allowed origins of the key`);
}
