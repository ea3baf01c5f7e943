import { LRUCache } from 'lru-cache';

/** How long a token or key is believed without asking: one revoked at one process is dead at the others within this time. */
const lifetime = 500;

/** Tokens or keys of one kind, and whose they were a moment ago. */
export class KnownTokens<T extends object> {
  readonly #found = new LRUCache<string, T>({ max: 10_000, ttl: lifetime });
  #forgotten = 0;

  constructor(readonly find: (token: string) => Promise<T | null>) {}

  async of(token: string): Promise<T | null> {
    const known = this.#found.get(token);
    if (known) return known;
    const before = this.#forgotten;
    const found = await this.find(token);
    // What was read before the others were forgotten may be what has just been revoked.
    if (found && before === this.#forgotten) this.#found.set(token, found);
    return found;
  }

  forget(): void {
    this.#forgotten++;
    this.#found.clear();
  }
}
