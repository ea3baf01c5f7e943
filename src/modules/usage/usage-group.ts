import { type Caller, platformIdOf } from '../../kernel/declare/policy/caller.js';
import type { UsageCaller } from './usage-caller.js';

/** Group of callers that are counted together. `platformId` is empty without a platform. */
export interface UsageGroup {
  readonly caller: UsageCaller;
  readonly platformId: string;
}

export const dayLength = 86_400_000;

/** UTC day of a Unix time in milliseconds. */
export const utcDayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** Group of a caller: the platform, or else signed-in users or anonymous callers. */
export function usageGroupOf(caller: Caller | null): UsageGroup {
  const platformId = caller && platformIdOf(caller);
  if (platformId) return { caller: 'PLATFORM', platformId };
  return { caller: caller?.user ? 'USER' : 'ANONYMOUS', platformId: '' };
}
