import { type Caller, platformIdOf } from '../../kernel/declare/caller.js';
import type { UsageCaller } from './usage-caller.js';

/** For whom calls are counted; without a platform, its id is empty. */
export interface UsageGroup {
  readonly caller: UsageCaller;
  readonly platformId: string;
}

export const dayLength = 86_400_000;

/** The day of a moment of Unix time, in UTC. */
export const utcDayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** The platform by which a call comes, or else whether somebody known calls. */
export function usageGroupOf(caller: Caller | null): UsageGroup {
  const platformId = caller && platformIdOf(caller);
  if (platformId) return { caller: 'PLATFORM', platformId };
  return { caller: caller?.user ? 'USER' : 'ANONYMOUS', platformId: '' };
}
