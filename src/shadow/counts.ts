import type { DifferenceKind } from '../comparison/differences.js';

/** Answers of a route that are not what the old server gives, in one way at one path. */
export interface ShadowDifference {
  /** `GET /v1/data/teams/{uuid}`. */
  readonly route: string;
  readonly kind: DifferenceKind;
  /** `results[].seed`, the name of a header, or empty for the whole. */
  readonly path: string;
  readonly count: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

/** What became of a read that was to be asked again. */
export type ShadowOutcome = 'same' | 'different' | 'unanswered' | 'dropped';

/** Most ways in which answers differ that are told apart. */
export const mostShadowDifferences = 1000;

/** What this process has counted since it started. */
export class ShadowCounts {
  readonly outcomes: Record<ShadowOutcome, number> = { same: 0, different: 0, unanswered: 0, dropped: 0 };
  readonly #all = new Map<string, { -readonly [Key in keyof ShadowDifference]: ShadowDifference[Key] }>();

  /** Whether it is the first of its kind. */
  add(route: string, kind: DifferenceKind, path: string): boolean {
    const key = `${kind} ${route} ${path}`;
    const now = new Date();
    const known = this.#all.get(key);
    if (known) {
      known.count += 1;
      known.lastSeen = now;
    } else if (this.#all.size < mostShadowDifferences) {
      this.#all.set(key, { route, kind, path, count: 1, firstSeen: now, lastSeen: now });
      return true;
    }
    return false;
  }

  all(): ShadowDifference[] {
    return [...this.#all.values()].map((each) => ({ ...each })).sort((a, b) => b.count - a.count);
  }
}

let counts: ShadowCounts | null = null;

/** Has this process count there, or nowhere. */
export function countShadow(given: ShadowCounts | null): void {
  counts = given;
}

/** In what the answers of this process differ from those of the old server, the most frequent first; null where it is not asked. */
export const shadowDifferences = (): ShadowDifference[] | null => counts?.all() ?? null;

/** How many reads were asked again, by what became of them; null where the old server is not asked. */
export const shadowOutcomes = (): Readonly<Record<ShadowOutcome, number>> | null => (counts ? { ...counts.outcomes } : null);
