import { reject } from '../../kernel/declare/errors.js';

/** Time range of the events that count. */
export interface RankingWindow {
  from: string;
  /** End of the window, exclusive. Null means that the window has no end. */
  until: string | null;
  /** Name of the period, which is part of the IDs of ranked players. Unlike `from`, it stays the same over time. */
  name: string;
  /**
   * Whether points that are hidden from the caller count. Players with only hidden points are omitted. False if the caller chose the start
   * of the window, because a window with a single event would reveal its points.
   */
  countsHiddenPoints: boolean;
}

const week = 7 * 24 * 60 * 60 * 1000;
const newYear = (year: number) => `${String(year).padStart(4, '0')}-01-01T00:00:00Z`;

/** Returns the window for a calendar year, for the time since an instant, or for the last 52 weeks (decision 25). */
export function windowOf(year: number | null, since: string | null, now: Date): RankingWindow {
  if (year !== null && since !== null) return reject('year', 'either a year or a start time, not both');
  if (year !== null) {
    if (year < 1900 || year > 9998) reject('year', 'a year from 1900 to 9998');
    return { from: newYear(year), until: newYear(year + 1), name: String(year), countsHiddenPoints: true };
  }
  if (since !== null) return { from: since, until: null, name: new Date(since).toISOString(), countsHiddenPoints: false };
  return {
    from: new Date(now.getTime() - 52 * week).toISOString(),
    until: now.toISOString(),
    name: 'LATEST',
    countsHiddenPoints: true,
  };
}
