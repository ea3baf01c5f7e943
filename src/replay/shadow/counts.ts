import type { ShadowOutcome } from '../../modules/usage/shadow-counter.js';
import type { DifferenceKind } from '../comparison/differences.js';

/** A difference between the responses of the old and the new server, and how often it occurred. */
export interface CountedDifference {
  /** Route, such as `GET /v1/data/teams/{uuid}`. */
  readonly route: string;
  readonly kind: DifferenceKind;
  /** JSON path such as `results[].seed`, or the name of a header. Empty for the whole response. */
  readonly path: string;
  /** Number of responses with the difference. */
  readonly count: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

/** Maximum number of distinct differences to count. Further differences are ignored. */
const maxShadowDifferences = 1000;

/**
 * Returns a path for logs and tables: at most 300 characters, without NUL characters or unpaired surrogates. JSON keys can contain both.
 */
export const safePath = (path: string): string => path.slice(0, 300).replaceAll('\0', '').toWellFormed();

/** Counts of the outcomes and differences of shadow reads since this process started. */
export class ShadowCounts {
  readonly outcomes: Record<ShadowOutcome, number> = { same: 0, different: 0, unanswered: 0, dropped: 0 };
  readonly #differences = new Map<string, { -readonly [Key in keyof CountedDifference]: CountedDifference[Key] }>();

  /**
   * Counts a difference. Returns `first` for a new difference, and `known` for a repeated one. Returns null for a new difference if the
   * maximum number of differences is reached.
   */
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

/** Returns the differences from the old server, most frequent first. Null if shadow reads are off. */
export const shadowDifferences = (): CountedDifference[] | null => counts?.all() ?? null;

/** Returns the number of shadow reads, grouped by outcome. Null if shadow reads are off. */
export const shadowOutcomes = (): Readonly<Record<ShadowOutcome, number>> | null => (counts ? { ...counts.outcomes } : null);
