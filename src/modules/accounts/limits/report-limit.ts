import type { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Client } from '../../../kernel/declare/context.js';

/** Header items per response and limit: policy and current state. */
const reportedLimits = new WeakMap<Client, Map<string, readonly [policy: string, state: string]>>();

/**
 * Sets the headers RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10): quota (`q`) per window of `w` seconds, remaining
 * attempts (`r`), and seconds until the window resets (`t`). A null state means that no attempt is counted.
 */
export function reportLimit(
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
