import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { limitRefusals } from '../../../kernel/monitoring/counts.js';
import type { Quotas } from './limit-rules.js';
import { throwRateLimited } from './limits.js';

/**
 * Returns a function that counts a request of a caller. It throws RATE_LIMITED if the platform of the caller has used up its budget, and logs
 * the first refusal in each window.
 */
export function requestBudgets(
  { 'requests.platform': quota }: Quotas,
  log: Pick<Logger, 'info'>,
): ((caller: Caller) => Promise<void>) | null {
  if (!quota) return null;
  // Counts in memory, so that rejected requests do not use the database.
  const limiter = new RateLimiterMemory(quota);
  return async ({ platform, key }) => {
    const platformId = platform?.id ?? key?.platformId;
    if (platformId === undefined) return;
    await limiter.consume(platformId).catch((error: unknown) => {
      if (!(error instanceof RateLimiterRes)) throw error;
      const limit = 'requests.platform';
      limitRefusals.add(limit);
      if (error.consumedPoints === quota.points + 1) log.info({ limit, platformId }, 'request refused by a limit');
      throwRateLimited(error, 'the platform has sent too many requests');
    });
  };
}
