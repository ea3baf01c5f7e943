import type { Caller } from '../../kernel/declare/policy/caller.js';
import { type UsageGroup, usageGroupOf, utcDayOf } from './usage-group.js';

/** Outcomes of shadow reads. A shadow read is a `/v1` read that is also sent to the old server, to compare the responses. */
export const shadowReadOutcomes = ['same', 'different', 'unanswered', 'dropped'] as const;
export type ShadowOutcome = (typeof shadowReadOutcomes)[number];

/** Difference between the responses of both servers. */
export interface ShadowFinding {
  readonly kind: string;
  readonly path: string;
}

interface ShadowKey extends UsageGroup {
  readonly day: string;
  readonly route: string;
}
type ReadCounts = ShadowKey & Record<ShadowOutcome, number>;
type Difference = ShadowKey & ShadowFinding & { times: number; firstAt: number; lastAt: number };

/** Shadow reads and differences counted since the previous call to `drain`. */
export interface CountedShadowReads {
  readonly reads: readonly ReadCounts[];
  readonly differences: readonly Difference[];
}

/**
 * Maximum number of read counters, and of differences, between two writes. Further reads of platforms are counted for the group
 * `OTHERS`. Further differences are dropped.
 */
export const maxShadowEntries = 5000;

/** Counts shadow reads and their differences in memory. */
export class ShadowCounter {
  #reads = new Map<string, ReadCounts>();
  #differences = new Map<string, Difference>();

  /** Counts a shadow read and the differences between both responses. */
  add(
    route: string,
    caller: Caller | null,
    outcome: ShadowOutcome,
    differences: readonly ShadowFinding[],
    now = Date.now(),
  ): void {
    const group = { day: utcDayOf(now), ...usageGroupOf(caller), route };
    this.#readsOf(group)[outcome] += 1;
    for (const { kind, path } of differences) this.#countDifference(group, kind, path, now);
  }

  /** Returns the counts and resets them. Returns null if nothing was counted. */
  drain(): CountedShadowReads | null {
    if (this.#reads.size === 0) return null;
    const counted = { reads: [...this.#reads.values()], differences: [...this.#differences.values()] };
    this.#reads = new Map();
    this.#differences = new Map();
    return counted;
  }

  #readsOf(group: ShadowKey): ReadCounts {
    const key = keyOf(group);
    const entry = this.#reads.get(key);
    if (entry) return entry;
    const isFull = this.#reads.size >= maxShadowEntries && group.caller === 'PLATFORM';
    if (isFull) return this.#readsOf({ ...group, caller: 'OTHERS', platformId: '' });
    const reads = { ...group, same: 0, different: 0, unanswered: 0, dropped: 0 };
    this.#reads.set(key, reads);
    return reads;
  }

  #countDifference(group: ShadowKey, kind: string, path: string, now: number): void {
    const key = `${keyOf(group)} ${kind} ${path}`;
    const entry = this.#differences.get(key);
    if (entry) {
      entry.times += 1;
      entry.lastAt = now;
    } else if (this.#differences.size < maxShadowEntries)
      this.#differences.set(key, { ...group, kind, path, times: 1, firstAt: now, lastAt: now });
  }
}

const keyOf = ({ day, caller, platformId, route }: ShadowKey) => `${day} ${caller} ${platformId} ${route}`;
