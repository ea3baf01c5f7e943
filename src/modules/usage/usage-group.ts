import { enumeration } from '../../kernel/declare/enumeration.js';
import { type Caller, platformIdOf } from '../../kernel/declare/policy/caller.js';

export const UsageCaller = enumeration('UsageCaller', 'Kind of caller of `/v1` or the graph.', {
  PLATFORM: 'Platform with its token or a publishable key, with or without a user token.',
  USER: 'User with a user token, but without a platform token or publishable key.',
  ANONYMOUS: 'Callers without a valid token.',
  OTHERS:
    'All other platforms together. While the database is unreachable, a process counts only a limited number of platforms separately.',
});
export type UsageCaller = keyof typeof UsageCaller;

/** Group of callers whose calls are counted together. `platformId` is empty if the group is not a platform. */
export interface UsageGroup {
  readonly caller: UsageCaller;
  readonly platformId: string;
}

/** Length of a day in milliseconds. */
export const dayLength = 86_400_000;

/** Returns the UTC day of a Unix time in milliseconds, such as `2041-03-02`. */
export const utcDayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** Returns the group of a caller: the platform, or else all signed-in users or all anonymous callers. */
export function usageGroupOf(caller: Caller | null): UsageGroup {
  const platformId = caller && platformIdOf(caller);
  if (platformId) return { caller: 'PLATFORM', platformId };
  return { caller: caller?.user ? 'USER' : 'ANONYMOUS', platformId: '' };
}
