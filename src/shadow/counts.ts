import type { DifferenceKind } from '../comparison/differences.js';
import type { ShadowOutcome } from '../modules/usage/shadow-counter.js';

/** Answers of a route that are not what the old server gives, in one way at one path. */
export interface CountedDifference {
  /** `GET /v1/data/teams/{uuid}`. */
  readonly route: string;
  readonly kind: DifferenceKind;
  /** `results[].seed`, the name of a header, or empty for the whole. */
  readonly path: string;
  readonly count: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

/** Most ways in which answers differ that are told apart. */
export const mostShadowDifferences = 1000;

/** A path as it may stand in logs and tables: keys of JSON may be of any length, and of letters that no table takes. */
export const writtenPath = (path: string): string => path.slice(0, 300).replaceAll('\0', '').toWellFormed();

/** What this process has counted since it started. */
export class ShadowCounts {
  readonly outcomes: Record<ShadowOutcome, number> = { same: 0, different: 0, unanswered: 0, dropped: 0 };
  readonly #all = new Map<string, { -readonly [Key in keyof CountedDifference]: CountedDifference[Key] }>();

  /** Whether it is the first of its kind, or one that is known; null for one beyond those that are told apart. */
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

/** Has this process count there, or nowhere. */
export function countShadow(given: ShadowCounts | null): void {
  counts = given;
}

/** In what the answers of this process differ from those of the old server, the most frequent first; null where it is not asked. */
export const shadowDifferences = (): CountedDifference[] | null => counts?.all() ?? null;

/** How many reads were asked again, by what became of them; null where the old server is not asked. */
export const shadowOutcomes = (): Readonly<Record<ShadowOutcome, number>> | null => (counts ? { ...counts.outcomes } : null);
