import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Client, Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { networkOf } from '../../kernel/network.js';
import { type Pools, Session } from '../../kernel/session.js';
import { type Quotas, type Rule, ruleNames } from './limit-rules.js';
import { hashOf } from './secrets.js';
import { tellLimit } from './tell-limit.js';

/** Counts tries in the database, for all processes together. Keys are kept as hashes, because they hold addresses. */
class Counters {
  readonly #limiters = new Map<Rule, RateLimiterPostgres>();

  constructor(pools: Pools, quotas: Quotas) {
    const storeClient = {
      async query({ text, values }: { text: string; values: unknown[] }) {
        const rows = await new Session(pools, 'write').rows(text, values);
        return { rows, rowCount: rows.length };
      },
    };
    const store = { storeClient, storeType: 'client', tableName: 'rate_limit', tableCreated: true };
    for (const rule of ruleNames) {
      const quota = quotas[rule];
      if (!quota) continue;
      const clears = this.#limiters.size === 0;
      this.#limiters.set(rule, new RateLimiterPostgres({ ...store, ...quota, keyPrefix: rule, clearExpiredByTimeout: clears }));
    }
  }

  /** Null where nothing is counted. */
  of(rule: Rule): RateLimiterPostgres | null {
    return this.#limiters.get(rule) ?? null;
  }
}

const known = new WeakMap<Pools, Counters>();

/** The limits for one request, whose answer tells what is left of those that it has taken. */
export class Limits {
  constructor(
    readonly counters: Counters,
    readonly client: Client,
  ) {}

  /**
   * Takes one try; RATE_LIMITED when there is none left. Counted before the work, so that many at once don't slip through. `onLock` is called
   * for the first try of many that finds none left.
   */
  async take(rule: Rule, key: string, onLock?: () => Promise<unknown>): Promise<void> {
    const limiter = this.counters.of(rule);
    if (!limiter) return;
    try {
      tellLimit(this.client, rule, limiter, await limiter.consume(hashOf(key)));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      tellLimit(this.client, rule, limiter, error);
      if (error.consumedPoints === limiter.points + 1) await onLock?.();
      exhausted(error);
    }
  }

  /** Gives back a try that was taken and is not to count. */
  async giveBack(rule: Rule, key: string): Promise<void> {
    const limiter = this.counters.of(rule);
    if (limiter) tellLimit(this.client, rule, limiter, await limiter.reward(hashOf(key)));
  }

  /** Starts counting anew. */
  async clear(rule: Rule, key: string): Promise<void> {
    const limiter = this.counters.of(rule);
    if (!limiter) return;
    await limiter.delete(hashOf(key));
    tellLimit(this.client, rule, limiter, null);
  }
}

const exhausted = ({ msBeforeNext }: RateLimiterRes): never =>
  fail('RATE_LIMITED', 'too many tries: wait before the next one', { retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)) });

/** Key of limits per platform or publishable key, and network of the client. */
export const whoTries = ({ caller: { platform, key }, client }: Context): string =>
  `${key ? `key ${key.id}` : platform?.id} ${networkOf(client.address)}`;

/**
 * Counts an attempt against a limit. RATE_LIMITED if the limit is reached. Returns a function that undoes the count. Uses a separate connection pool:
 * otherwise, transactions that wait for a second connection could exhaust the pool of requests and deadlock.
 */
export async function limit(context: Context, rule: Rule, key: string): Promise<() => Promise<void>> {
  const limits = limitsOf(context, context.services.aside());
  await limits.take(rule, key);
  return () => limits.giveBack(rule, key);
}

/** Limits of the database that a request uses. */
export function limitsOf({ sql, client, services }: Context, pools = sql.pools): Limits {
  const counters = known.get(pools) ?? new Counters(pools, services.settings.rateLimits);
  known.set(pools, counters);
  return new Limits(counters, client);
}
