import { createCache } from '../../../kernel/caches.js';

/** Lifetime of an entry in milliseconds. It is the maximum time for which other processes accept a revoked token or key. */
const lifetime = 500;

const cacheDescription = {
  name: 'owners of tokens and publishable keys, with their roles',
  limit: '10,000 of each kind',
  validity: '0.5 s; immediately in the process that changes them',
};

/** Caches the owners of tokens or keys. Each instance caches one kind of token or key. */
export class TokenCache<T extends object> {
  readonly #entries = createCache<string, T>(cacheDescription, { max: 10_000, ttl: lifetime });
  #clearCount = 0;

  constructor(readonly find: (token: string) => Promise<T | null>) {}

  /** Returns the owner of a token. Null if the token is invalid. Synchronous on a cache hit. */
  get(token: string): T | Promise<T | null> {
    return this.#entries.get(token) ?? this.#load(token);
  }

  async #load(token: string): Promise<T | null> {
    const clearCount = this.#clearCount;
    const start = performance.now();
    const owner = await this.find(token);
    // A lookup that started before the cache was cleared may return the owner of a token that has been revoked since then. The lifetime
    // counts from the start of the lookup.
    if (owner && clearCount === this.#clearCount) this.#entries.set(token, owner, { start });
    return owner;
  }

  clear(): void {
    this.#clearCount++;
    this.#entries.clear();
  }
}
