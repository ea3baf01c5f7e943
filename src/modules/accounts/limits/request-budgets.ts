import { TokenBucket } from 'limiter';
import type { Logger } from 'pino';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { limitRefusals } from '../../../kernel/monitoring/counts.js';
import type { Quotas } from './limit-rules.js';
import { throwRateLimited } from './limits.js';

/** Requests that a platform may still send. */
interface Budget {
  readonly bucket: TokenBucket;
  /** Time of the last logged refusal, in milliseconds of `performance.now()`. */
  loggedAt: number;
}

/**
 * Returns a function that counts a request of a caller. It throws RATE_LIMITED if the platform of the caller has used up its budget, and logs
 * at most one refusal of a platform per duration of the quota. Null if requests have no limit.
 *
 * An unused budget grows continuously up to the quota. A platform that always sends too much therefore cannot send the requests of a whole
 * second at once, which would delay other platforms.
 */
export function requestBudgets(
  { 'requests.platform': quota }: Quotas,
  log: Pick<Logger, 'info'>,
): ((caller: Caller) => void) | null {
  if (!quota) return null;
  const { points } = quota;
  const interval = quota.duration * 1000;
  // Counts in memory, so that refused requests do not use the database.
  const budgets = new Map<string, Budget>();
  const budgetOf = (platformId: string): Budget => {
    const existing = budgets.get(platformId);
    if (existing) return existing;
    const bucket = new TokenBucket({ bucketSize: points, tokensPerInterval: points, interval });
    bucket.content = points;
    const budget: Budget = { bucket, loggedAt: Number.NEGATIVE_INFINITY };
    budgets.set(platformId, budget);
    return budget;
  };
  return ({ platform, key }) => {
    const platformId = platform?.id ?? key?.platformId;
    if (platformId === undefined) return;
    const budget = budgetOf(platformId);
    if (budget.bucket.tryRemoveTokens(1)) return;
    const limit = 'requests.platform';
    limitRefusals.add(limit);
    if (performance.now() - budget.loggedAt >= interval) {
      budget.loggedAt = performance.now();
      log.info({ limit, platformId }, 'request refused by a limit');
    }
    throwRateLimited(budget.bucket.getWaitTime(1), 'the platform has sent too many requests');
  };
}
