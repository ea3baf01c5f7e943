import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Client, Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { platformIdOf } from '../../../kernel/declare/policy/caller.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { limitRefusals } from '../../../kernel/monitoring/counts.js';
import { networkOf } from '../../../kernel/network.js';
import { type Pools, Session } from '../../../kernel/session.js';
import { hashOf } from '../tokens/secrets.js';
import { countedRules, type Quotas, type RuleName, ruleNames } from './limit-rules.js';

limitRefusals.declare(ruleNames);

/** Policy and current state of each limit, as items of the response headers. Keyed by the client and the name of the limit. */
const reportedLimits = new WeakMap<Client, Map<string, readonly [policy: string, state: string]>>();

/**
 * Sets the headers RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10): quota (`q`) per window of `w` seconds,
 * remaining attempts (`r`), and seconds until the window resets (`t`). If `state` is null, the count is zero.
 */
function reportLimit(
  client: Client,
  name: string,
  { points, duration }: RateLimiterPostgres,
  state: RateLimiterRes | null,
): void {
  const limits = reportedLimits.get(client) ?? new Map<string, readonly [string, string]>();
  reportedLimits.set(client, limits);
  const currentState = state
    ? `r=${Math.max(state.remainingPoints, 0)};t=${Math.ceil(state.msBeforeNext / 1000)}`
    : `r=${points}`;
  limits.set(name, [`"${name}";q=${points};w=${duration}`, `"${name}";${currentState}`]);
  client.setResponseHeader('RateLimit-Policy', [...limits.values()].map(([policy]) => policy).join(', '));
  client.setResponseHeader('RateLimit', [...limits.values()].map(([, current]) => current).join(', '));
}

/** Counters of attempts in the database, shared by all processes. Keys are stored as hashes, because they contain addresses. */
class Counters {
  readonly #limiters = new Map<RuleName, RateLimiterPostgres>();

  constructor(pools: Pools, quotas: Quotas) {
    const storeClient = {
      async query({ text, values }: { text: string; values: unknown[] }) {
        const rows = await new Session(pools, 'write').rows(text, values);
        return { rows, rowCount: rows.length };
      },
    };
    const store = { storeClient, storeType: 'client', tableName: 'rate_limit', tableCreated: true };
    for (const rule of countedRules) {
      const quota = quotas[rule];
      if (!quota) continue;
      const isFirst = this.#limiters.size === 0;
      this.#limiters.set(rule, new RateLimiterPostgres({ ...store, ...quota, keyPrefix: rule, clearExpiredByTimeout: isFirst }));
    }
  }

  /** Returns the limiter for a rule. Null if the rule has no quota. */
  limiterFor(rule: RuleName): RateLimiterPostgres | null {
    return this.#limiters.get(rule) ?? null;
  }
}

const countersByPools = new WeakMap<Pools, Counters>();

/** Rate limits for one request. Each limit that counts the request appears in the response headers. */
export class Limits {
  constructor(
    readonly counters: Counters,
    readonly context: Context,
    /** Whether to log exceeded limits and to count them in metrics. False if requests that exceed a limit are not refused. */
    readonly reportsRefusals = true,
  ) {}

  get client(): Client {
    return this.context.client;
  }

  /**
   * Counts an attempt. Throws RATE_LIMITED if the limit is exceeded. Call this before the attempt, so that concurrent attempts cannot
   * exceed the limit. `onLock` runs for the first rejected attempt only.
   */
  async consume(rule: RuleName, key: string, onLock?: () => Promise<unknown>): Promise<void> {
    const limiter = this.counters.limiterFor(rule);
    if (!limiter) return;
    try {
      reportLimit(this.client, rule, limiter, await limiter.consume(hashOf(key)));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      reportLimit(this.client, rule, limiter, error);
      if (this.reportsRefusals) this.#reportRefusal(rule);
      if (error.consumedPoints === limiter.points + 1) await onLock?.();
      throwRateLimited(error.msBeforeNext);
    }
  }

  #reportRefusal(limit: RuleName): void {
    const { caller, client, services } = this.context;
    limitRefusals.add(limit);
    services.log.info({ limit, requestId: client.requestId, platformId: platformIdOf(caller) }, 'request refused by a limit');
  }

  /** Removes one attempt from the count. */
  async refund(rule: RuleName, key: string): Promise<void> {
    const limiter = this.counters.limiterFor(rule);
    if (limiter) reportLimit(this.client, rule, limiter, await limiter.reward(hashOf(key)));
  }

  /** Resets the count to zero. */
  async reset(rule: RuleName, key: string): Promise<void> {
    const limiter = this.counters.limiterFor(rule);
    if (!limiter) return;
    await limiter.delete(hashOf(key));
    reportLimit(this.client, rule, limiter, null);
  }
}

/** Throws RATE_LIMITED. `waitTime` is the time until the next attempt, in milliseconds. The error states it in seconds. */
export const throwRateLimited = (waitTime: number, message = 'too many tries: wait before the next one'): never =>
  fail('RATE_LIMITED', message, {
    retryAfter: Math.max(1, Math.ceil(waitTime / 1000)),
  });

/** Returns the key that identifies a client in limits: the publishable key or platform of the caller, and the network of the client. */
export const clientKey = ({ caller: { platform, key }, client }: Context): string =>
  `${key ? `key ${key.id}` : platform?.id} ${networkOf(client.address)}`;

/**
 * Counts an attempt against a limit. Throws RATE_LIMITED if the limit is exceeded. Returns a function that removes the attempt from the
 * count. Uses a separate connection pool: otherwise, transactions that wait for a second connection could exhaust the requests' pool and
 * deadlock.
 */
export async function countAttempt(context: Context, rule: RuleName, key: string): Promise<() => Promise<void>> {
  const limits = limitsOf(context, context.services.backgroundPools());
  await limits.consume(rule, key);
  return () => limits.refund(rule, key);
}

/** Returns the rate limits for a request. Each database has its own counters. */
export function limitsOf(context: Context, pools = context.sql.pools): Limits {
  const counters = countersByPools.get(pools) ?? new Counters(pools, context.services.settings.rateLimits);
  countersByPools.set(pools, counters);
  return new Limits(counters, context);
}

/** Returns the ID of the user whose message limit applies to a request. Null for platforms, even if the request also has a user token. */
const senderIdOf = ({ platform, user }: Context['caller']): string | null => (platform ? null : (user?.id ?? null));

/**
 * Counts a message to an email address against the limits of its sender and its recipient. Throws RATE_LIMITED. Checks the sender first,
 * because a blocked sender must not use up the recipient's limit. Enqueue the message as `counted`, or the outbox counts it again.
 */
export async function countMessage(
  context: Context,
  address: string,
  senderId: string | null = senderIdOf(context.caller),
): Promise<void> {
  const limits = limitsOf(context);
  const recipient = normalizeEmail(address);
  const { key } = context.caller;
  if (key) {
    await limits.consume('address.messages', clientKey(context));
    await limits.consume('key.attempts', key.id);
  }
  if (senderId !== null) {
    await limits.consume('user.messages', senderId);
    await limits.consume('user.recipient', `${senderId} ${recipient}`);
  }
  await limits.consume('account.messages', recipient);
}
