import type { ShadowOutcome } from '../../modules/usage/shadow-counter.js';
import type { DifferenceKind } from '../comparison/differences.js';

/** Number of responses of a route with the same difference from the old server. */
export interface CountedDifference {
  /** `GET /v1/data/teams/{uuid}`. */
  readonly route: string;
  readonly kind: DifferenceKind;
  /** `results[].seed`, the name of a header, or empty for the whole response. */
  readonly path: string;
  readonly count: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

/** Maximum number of different differences. */
export const maxShadowDifferences = 1000;

/** Makes a path safe for logs and tables, because JSON keys can be long and contain invalid characters. */
export const safePath = (path: string): string => path.slice(0, 300).replaceAll('\0', '').toWellFormed();

/** Counts of this process since its start. */
export class ShadowCounts {
  readonly outcomes: Record<ShadowOutcome, number> = { same: 0, different: 0, unanswered: 0, dropped: 0 };
  readonly #differences = new Map<string, { -readonly [Key in keyof CountedDifference]: CountedDifference[Key] }>();

  /** Counts a difference. Returns whether it is new or known, or null above the maximum. */
  add(route: string, kind: DifferenceKind, path: string): 'first' | 'known' | null {
    const key = `${kind} ${route} ${path}`;
    const now = new Date();
    const difference = this.#differences.get(key);
    if (difference) {
      difference.count += 1;
      difference.lastSeen = now;
      return 'known';
    }
    if (this.#differences.size >= maxShadowDifferences) return null;
    this.#differences.set(key, { route, kind, path, count: 1, firstSeen: now, lastSeen: now });
    return 'first';
  }

  all(): CountedDifference[] {
    return [...this.#differences.values()].map((difference) => ({ ...difference })).sort((a, b) => b.count - a.count);
  }
}

let counts: ShadowCounts | null = null;

/** Sets the counts of this process. Null if shadow reads are off. */
export function setShadowCounts(newCounts: ShadowCounts | null): void {
  counts = newCounts;
}

/** Differences from the old server, the most frequent first. Null if shadow reads are off. */
export const shadowDifferences = (): CountedDifference[] | null => counts?.all() ?? null;

/** Number of shadow reads by outcome. Null if shadow reads are off. */
export const shadowOutcomes = (): Readonly<Record<ShadowOutcome, number>> | null => (counts ? { ...counts.outcomes } : null);
