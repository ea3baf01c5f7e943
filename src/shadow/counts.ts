import type { DifferenceKind } from '../comparison/differences.js';
import type { ShadowOutcome } from '../modules/usage/shadow-counter.js';

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
export const mostShadowDifferences = 1000;

/** Makes a path safe for logs and tables, because JSON keys can be long and contain invalid characters. */
export const writtenPath = (path: string): string => path.slice(0, 300).replaceAll('\0', '').toWellFormed();

/** Counts of this process since its start. */
export class ShadowCounts {
  readonly outcomes: Record<ShadowOutcome, number> = { same: 0, different: 0, unanswered: 0, dropped: 0 };
  readonly #all = new Map<string, { -readonly [Key in keyof CountedDifference]: CountedDifference[Key] }>();

  /** Counts a difference. Returns whether it is new or known, or null above the maximum. */
  add(route: string, kind: DifferenceKind, path: string): 'first' | 'known' | null {
    const key = `${kind} ${route} ${path}`;
    const now = new Date();
    const known = this.#all.get(key);
    if (known) {
      known.count += 1;
      known.lastSeen = now;
      return 'known';
    }
    if (this.#all.size >= mostShadowDifferences) return null;
    this.#all.set(key, { route, kind, path, count: 1, firstSeen: now, lastSeen: now });
    return 'first';
  }

  all(): CountedDifference[] {
    return [...this.#all.values()].map((each) => ({ ...each })).sort((a, b) => b.count - a.count);
  }
}

let counts: ShadowCounts | null = null;

/** Sets the counts of this process. Null if shadow reads are off. */
export function countShadow(given: ShadowCounts | null): void {
  counts = given;
}

/** Differences from the old server, the most frequent first. Null if shadow reads are off. */
export const shadowDifferences = (): CountedDifference[] | null => counts?.all() ?? null;

/** Number of shadow reads by outcome. Null if shadow reads are off. */
export const shadowOutcomes = (): Readonly<Record<ShadowOutcome, number>> | null => (counts ? { ...counts.outcomes } : null);
