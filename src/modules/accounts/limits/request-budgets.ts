import { TokenBucket } from 'limiter';
import type { Logger } from 'pino';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { limitRefusals } from '../../../kernel/monitoring/counts.js';
import type { Quotas } from './limit-rules.js';
import { throwRateLimited } from './limits.js';

/** Requests that a platform may still send. */
interface Budget {
  readonly bucket: TokenBucket;
  /** Time of the last logged refusal, in milliseconds from `performance.now()`. */
  loggedAt: number;
}

/**
 * Returns a function that counts one request of a caller, or null if requests are not limited. The function throws RATE_LIMITED if the
 * caller's platform has used up its budget. It logs at most one refusal per platform and quota period.
 *
 * The budget refills continuously, up to the quota. The requests of a platform that always exceeds its quota are therefore accepted evenly.
 * Accepting the requests of a whole period in one burst would delay other platforms.
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
