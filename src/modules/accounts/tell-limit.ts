import type { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Client } from '../../kernel/declare/context.js';

/** What the answer to a client tells of each limit: the policy, and what is left of it. */
const told = new WeakMap<Client, Map<string, readonly [policy: string, state: string]>>();

/**
 * Has the answer tell of a limit that its request has taken, in the form of draft-ietf-httpapi-ratelimit-headers-10: how many tries there are
 * (`q`) in how many seconds (`w`), how many are left (`r`), and after how many seconds all of them are back (`t`). Null where none is taken.
 */
export function tellLimit(
  client: Client,
  name: string,
  { points, duration }: RateLimiterPostgres,
  state: RateLimiterRes | null,
): void {
  const limits = told.get(client) ?? new Map<string, readonly [string, string]>();
  told.set(client, limits);
  const left = state ? `r=${Math.max(state.remainingPoints, 0)};t=${Math.ceil(state.msBeforeNext / 1000)}` : `r=${points}`;
  limits.set(name, [`"${name}";q=${points};w=${duration}`, `"${name}";${left}`]);
  client.tell('RateLimit-Policy', [...limits.values()].map(([policy]) => policy).join(', '));
  client.tell('RateLimit', [...limits.values()].map(([, now]) => now).join(', '));
}
