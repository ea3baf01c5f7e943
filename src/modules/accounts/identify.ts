import type { Caller, KeyCaller, PlatformCaller, UserCaller } from '../../kernel/declare/caller.js';
import { fail } from '../../kernel/declare/errors.js';
import { type Pools, Session } from '../../kernel/session.js';
import { isTrustedHost } from '../../kernel/trusted-host.js';
import { credentialsOf, type Header, keyNamed } from './credentials.js';
import { keyForOrigin, keyOf, personOf, platformOf, userOf } from './identify-sql.js';
import { KnownTokens } from './known-tokens.js';
import { formsOf, letsIn } from './origins.js';
import { hashOf } from './secrets.js';

type Key = KeyCaller & { readonly origins: readonly string[] };

/** Tells who sends a request, from its token headers (section 5). */
export class Identifier {
  readonly #platforms = new KnownTokens((token) => platformOf(this.#sql(), hashOf(token)));
  readonly #keys = new KnownTokens((key) => keyOf(this.#sql(), hashOf(key)));
  readonly #users = new KnownTokens((token) => userOf(this.#sql(), hashOf(token)));

  readonly #origins = new KnownTokens((origin) => keyForOrigin(this.#sql(), formsOf(origin)));

  /** `publicUrl` is the public address of the service, if it is known. */
  constructor(
    readonly pools: Pools,
    readonly publicUrl: string | null = null,
  ) {}

  /** Forgets what it knows, so that a token or key revoked here is dead here at once. */
  forget(): void {
    for (const known of [this.#platforms, this.#keys, this.#users, this.#origins]) known.forget();
  }

  /** Throws BAD_INPUT for headers that contradict each other, and FORBIDDEN for pages of an origin that their key does not name. */
  async identify(header: Header): Promise<Caller> {
    const { apiToken, key: named, userToken } = credentialsOf(header);
    const asked = named ? this.#keys.of(named) : null;
    const key = asked instanceof Promise ? await asked : asked;
    if (key && !this.#isOwnPage(header)) checkOrigin(key, header('origin'));
    const platforms = apiToken && !key ? this.#platforms.of(apiToken) : null;
    const platform: PlatformCaller | null = platforms instanceof Promise ? await platforms : platforms;
    const users = userToken ? this.#users.of(userToken) : null;
    const user = users instanceof Promise ? await users : users;
    const isPlatformRejected = Boolean((apiToken ?? named) && !platform && !key);
    const isUserRejected = Boolean(userToken && !user);
    return {
      platform,
      key: key && { id: key.id, platformId: key.platformId },
      user,
      rejected: isPlatformRejected || isUserRejected,
      isOnlyUserRejected: isUserRejected && !isPlatformRejected,
    };
  }

  /**
   * Whether pages of the request's origin may read its answer, as the publishable key says that it names; null when it names none. Of a key
   * that is unknown or revoked that is null as well: the answer is a refusal.
   */
  opensTo(header: Header): Promise<boolean | null> | null {
    const named = keyNamed(header);
    if (named === undefined) return null;
    return Promise.resolve(this.#keys.of(named)).then((key) => key && letsIn(key.origins, header('origin') ?? ''));
  }

  /** Whether some key is for pages of an origin. */
  isOriginOfKey(origin: string): Promise<boolean> {
    return Promise.resolve(this.#origins.of(origin)).then((key) => key !== null);
  }

  /** The person for whom a platform acts, with the roles that they hold directly and by inheritance; null for an unknown id. */
  person(sql: Session, id: string): Promise<UserCaller | null> {
    return personOf(sql, id);
  }

  /** Whether a page of this service sent the request. These pages may use every publishable key. */
  #isOwnPage(header: Header): boolean {
    const host = header('host');
    return URL.parse(header('origin') ?? '')?.host === host && isTrustedHost(host, this.publicUrl);
  }

  #sql(): Session {
    return new Session(this.pools, 'write');
  }
}

/** Only browsers send an origin, and they let no page choose it; apps and servers send none. */
function checkOrigin({ origins }: Key, origin: string | undefined): void {
  if (origin === undefined || letsIn(origins, origin)) return;
  fail('FORBIDDEN', `the publishable key is not for pages of ${origin}: its origin must be on the key's list`);
}
