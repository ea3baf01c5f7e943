import { bounded } from '../../kernel/bounded.js';

/** How long a token or key is believed without asking: one revoked at one process is dead at the others within this time. */
const lifetime = 500;

const remembered = {
  what: 'whose a token or publishable key is, and what they may do',
  most: '10,000 of each kind',
  until: '0.5 s; at once where it is changed',
};

/** Tokens or keys of one kind, and whose they were a moment ago. */
export class KnownTokens<T extends object> {
  readonly #found = bounded<string, T>(remembered, { max: 10_000, ttl: lifetime });
  #forgotten = 0;

  constructor(readonly find: (token: string) => Promise<T | null>) {}

  /** Whose it is, null where it is nobody's: at once where it is known, so that nobody waits for what is there. */
  of(token: string): T | Promise<T | null> {
    return this.#found.get(token) ?? this.#ask(token);
  }

  async #ask(token: string): Promise<T | null> {
    const before = this.#forgotten;
    const start = performance.now();
    const found = await this.find(token);
    // What was read before the others were forgotten may be what has just been revoked.
    // Its age counts from when it was asked for.
    if (found && before === this.#forgotten) this.#found.set(token, found, { start });
    return found;
  }

  forget(): void {
    this.#forgotten++;
    this.#found.clear();
  }
}
