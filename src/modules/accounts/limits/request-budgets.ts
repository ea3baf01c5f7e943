import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { limitRefusals } from '../../../kernel/monitoring/counts.js';
import type { Quotas } from './limit-rules.js';
import { throwRateLimited } from './limits.js';

/** Returns a function that counts a request of a caller. It throws RATE_LIMITED if the platform of the caller has used up its budget. */
export function requestBudgets({ 'requests.platform': quota }: Quotas): ((caller: Caller) => Promise<void>) | null {
  if (!quota) return null;
  // Counts in memory, so that rejected requests do not use the database.
  const limiter = new RateLimiterMemory(quota);
  return async ({ platform, key }) => {
    const platformId = platform?.id ?? key?.platformId;
    if (platformId === undefined) return;
    await limiter.consume(platformId).catch((error: unknown) => {
      if (!(error instanceof RateLimiterRes)) throw error;
      limitRefusals.add('requests.platform');
      throwRateLimited(error, 'the platform has sent too many requests');
    });
  };
}
