import { TokenBucket } from 'limiter';
import type { Logger } from 'pino';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { limitRefusals } from '../../../kernel/monitoring/counts.js';
import type { Quotas } from './limit-rules.js';
import { throwRateLimited } from './limits.js';

/** Requests that a platform may still send. */
interface Budget {
  readonly bucket: TokenBucket;
  /** Time at which the next request may start, as a `performance.now()` value. */
  nextStartAt: number;
  /** Time of the last logged refusal, as a `performance.now()` value. */
  loggedAt: number;
}

/** Maximum time between the starts of two requests that arrive simultaneously, in milliseconds. */
const maxSpacing = 5;
/** Maximum time over which the requests of a whole budget are spread, in milliseconds. */
const maxSpread = 1_000;

/**
 * Returns null if requests are not limited. Otherwise, returns a function that counts one request of a caller and returns how long the
 * request must wait, in milliseconds. The function throws RATE_LIMITED if the caller's platform has used up its budget. It logs at most one
 * refusal per platform and quota period.
 *
 * The budget refills continuously, up to the quota. The requests of a platform that always exceeds its quota are therefore accepted at a
 * steady rate.
 *
 * A platform with an unused budget may send many requests at once. These requests start at regular intervals, because they would delay
 * other platforms if they all started immediately. The intervals are so short that all requests of a full budget start within a quarter of
 * the period, and within one second.
 */
export function requestBudgets(
  { 'requests.platform': quota }: Quotas,
  log: Pick<Logger, 'info'>,
): ((caller: Caller, requestId?: number) => number) | null {
  if (!quota) return null;
  const { points } = quota;
  const interval = quota.duration * 1000;
  const spacing = Math.min(maxSpacing, Math.min(interval / 4, maxSpread) / points);
  // Counts in memory, so that refused requests do not use the database.
  const budgets = new Map<string, Budget>();
  const budgetOf = (platformId: string): Budget => {
    const existing = budgets.get(platformId);
    if (existing) return existing;
    const bucket = new TokenBucket({ bucketSize: points, tokensPerInterval: points, interval });
    bucket.content = points;
    const budget: Budget = { bucket, nextStartAt: 0, loggedAt: Number.NEGATIVE_INFINITY };
    budgets.set(platformId, budget);
    return budget;
  };
  return ({ platform, key }, requestId) => {
    const platformId = platform?.id ?? key?.platformId;
    if (platformId === undefined) return 0;
    const budget = budgetOf(platformId);
    const now = performance.now();
    if (budget.bucket.tryRemoveTokens(1)) {
      const startAt = Math.max(budget.nextStartAt, now);
      budget.nextStartAt = startAt + spacing;
      return startAt - now;
    }
    const limit = 'requests.platform';
    limitRefusals.add(limit);
    if (now - budget.loggedAt >= interval) {
      budget.loggedAt = now;
      log.info({ limit, requestId, platformId }, 'request refused by a limit');
    }
    return throwRateLimited(budget.bucket.getWaitTime(1), 'the platform has sent too many requests');
  };
}
