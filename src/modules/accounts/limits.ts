import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { type Pools, Session } from '../../kernel/session.js';
import { hashOf } from './secrets.js';

const minute = 60;
const hour = 60 * minute;

/** What may be tried how often, in how many seconds. */
const rules = {
  /** Passwords of one account, known or not. */
  signIn: { points: 10, duration: 15 * minute },
  /** Passwords from one device that the platform names, or by one key from one network address, whatever the account. */
  signInFrom: { points: 50, duration: 15 * minute },
  /** Messages to one address, known or not. */
  message: { points: 20, duration: hour },
  /** Messages to whomever, by one key from one network address: nobody vouches for pages and apps. */
  messageFrom: { points: 60, duration: hour },
  /** Questions of one caller whether an address is in use. */
  emailLookup: { points: 60, duration: minute },
  /** Contact messages by one platform or key from one network address. */
  contact: { points: 60, duration: hour },
} as const;

export type Rule = keyof typeof rules;

/** Counts tries in the database, for all processes together. Keys are kept as hashes, because they hold addresses. */
export class Limits {
  readonly #limiters: ReadonlyMap<Rule, RateLimiterPostgres>;

  constructor(pools: Pools) {
    const storeClient = {
      async query({ text, values }: { text: string; values: unknown[] }) {
        const rows = await new Session(pools, 'write').rows(text, values);
        return { rows, rowCount: rows.length };
      },
    };
    const store = { storeClient, storeType: 'client', tableName: 'rate_limit', tableCreated: true };
    const limiter = (rule: Rule) =>
      new RateLimiterPostgres({ ...store, ...rules[rule], keyPrefix: rule, clearExpiredByTimeout: rule === 'signIn' });
    this.#limiters = new Map([...ruleNames].map((rule) => [rule, limiter(rule)]));
  }

  /** Takes one try; RATE_LIMITED when there is none left. Counted before the work, so that many at once don't slip through. */
  async take(rule: Rule, key: string): Promise<void> {
    try {
      await this.#limiter(rule).consume(hashOf(key));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      exhausted(error);
    }
  }

  /** Gives back a try that was taken and is not to count. */
  async giveBack(rule: Rule, key: string): Promise<void> {
    await this.#limiter(rule).reward(hashOf(key));
  }

  /** Starts counting anew. */
  async clear(rule: Rule, key: string): Promise<void> {
    await this.#limiter(rule).delete(hashOf(key));
  }

  #limiter(rule: Rule): RateLimiterPostgres {
    return this.#limiters.get(rule) ?? fail('INTERNAL', 'no such limit');
  }
}

const exhausted = ({ msBeforeNext }: RateLimiterRes): never =>
  fail('RATE_LIMITED', 'too many tries: wait before the next one', { retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)) });

const ruleNames: readonly Rule[] = ['signIn', 'signInFrom', 'message', 'messageFrom', 'emailLookup', 'contact'];
const known = new WeakMap<Pools, Limits>();

/** Who tries and from where, for limits that count by platform or key. */
export const senderOf = ({ caller: { platform, key }, client }: Context): string =>
  `${key ? `key ${key.id}` : platform?.id} ${client.address}`;

/** The limits of the database that a request works on. */
export function limitsOf({ sql: { pools } }: Context): Limits {
  const limits = known.get(pools) ?? new Limits(pools);
  known.set(pools, limits);
  return limits;
}
