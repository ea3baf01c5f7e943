import { reject } from '../../kernel/declare/errors.js';

/** Time range of the events that count. */
export interface RankingWindow {
  from: string;
  /** Exclusive end. Null: no end. */
  until: string | null;
  /** Part of the IDs of ranked players. Unlike `from`, it does not change with time. */
  name: string;
  /**
   * Whether points count although the caller cannot see them. Players are left out if the caller sees none of their points. False for windows that
   * callers choose, which could contain a single event.
   */
  countsHiddenPoints: boolean;
}

const weeks = 7 * 24 * 60 * 60 * 1000;
const newYear = (year: number) => `${String(year).padStart(4, '0')}-01-01T00:00:00Z`;

/** Window of a calendar year, since an instant, or of the last 52 weeks (decision 25). */
export function windowOf(year: number | null, since: string | null, now: Date): RankingWindow {
  if (year !== null && since !== null) return reject('year', 'a year alone, or a start alone, not both');
  if (year !== null) {
    if (year < 1900 || year > 9998) reject('year', 'a year from 1900 to 9998');
    return { from: newYear(year), until: newYear(year + 1), name: String(year), countsHiddenPoints: true };
  }
  if (since !== null) return { from: since, until: null, name: new Date(since).toISOString(), countsHiddenPoints: false };
  return {
    from: new Date(now.getTime() - 52 * weeks).toISOString(),
    until: now.toISOString(),
    name: 'LATEST',
    countsHiddenPoints: true,
  };
}
