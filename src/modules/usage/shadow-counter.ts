import type { Caller } from '../../kernel/declare/caller.js';
import { type UsageGroup, usageGroupOf, utcDayOf } from './usage-group.js';

/** What becomes of a read that the old server is asked, too. */
export const readOutcomes = ['same', 'different', 'unanswered', 'dropped'] as const;
export type ShadowOutcome = (typeof readOutcomes)[number];

/** In what an answer is not that of the old server. */
export interface ShadowFinding {
  readonly kind: string;
  readonly path: string;
}

interface Whose extends UsageGroup {
  readonly day: string;
  readonly route: string;
}
type Reads = Whose & Record<ShadowOutcome, number>;
type Difference = Whose & ShadowFinding & { times: number; firstAt: number; lastAt: number };

/** What was found since the last time. */
export interface CountedShadow {
  readonly reads: readonly Reads[];
  readonly differences: readonly Difference[];
}

/** Most entries of either kind between two writings: what comes beyond is counted for `OTHERS`, or not told apart. */
export const mostShadowEntries = 5000;

/** Counts in memory what the old server answers otherwise. */
export class ShadowCounter {
  #reads = new Map<string, Reads>();
  #differences = new Map<string, Difference>();

  /** Counts a read of a route, by whom it was, and in what its two answers differ. */
  add(route: string, caller: Caller | null, outcome: ShadowOutcome, found: readonly ShadowFinding[], now = Date.now()): void {
    const whose = { day: utcDayOf(now), ...usageGroupOf(caller), route };
    this.#readsOf(whose)[outcome] += 1;
    for (const { kind, path } of found) this.#countDifference(whose, kind, path, now);
  }

  /** What was counted since it was last taken; null for nothing. */
  take(): CountedShadow | null {
    if (this.#reads.size === 0) return null;
    const counted = { reads: [...this.#reads.values()], differences: [...this.#differences.values()] };
    this.#reads = new Map();
    this.#differences = new Map();
    return counted;
  }

  #readsOf(whose: Whose): Reads {
    const key = keyOf(whose);
    const known = this.#reads.get(key);
    if (known) return known;
    const isFull = this.#reads.size >= mostShadowEntries && whose.caller === 'PLATFORM';
    if (isFull) return this.#readsOf({ ...whose, caller: 'OTHERS', platformId: '' });
    const reads = { ...whose, same: 0, different: 0, unanswered: 0, dropped: 0 };
    this.#reads.set(key, reads);
    return reads;
  }

  #countDifference(whose: Whose, kind: string, path: string, now: number): void {
    const key = `${keyOf(whose)} ${kind} ${path}`;
    const known = this.#differences.get(key);
    if (known) {
      known.times += 1;
      known.lastAt = now;
    } else if (this.#differences.size < mostShadowEntries)
      this.#differences.set(key, { ...whose, kind, path, times: 1, firstAt: now, lastAt: now });
  }
}

const keyOf = ({ day, caller, platformId, route }: Whose) => `${day} ${caller} ${platformId} ${route}`;
