import type { DateTime } from 'luxon';
import { normalizeInstant } from '../../../kernel/declare/scalars/instant.js';
import type { GameRepeat } from '../games/game-values.js';
import { formatLocalTime, inTimeZone, isDateWithoutTime, secondFractionOf } from '../times/local-time.js';

/** SQL condition that the service repeats the game `r`. Repetitions and archived games are not repeated. */
export const isRepeatedGame = 'r.is_repeated and r.repeats is not null and r.occurs_on is null and r.archived_at is null';

/** Schedule of a repeated game. */
export interface Series {
  day: string | null;
  startsAt: string | null;
  endsAt: string | null;
  /** IANA name of the time zone. If the name is unknown, UTC is used. */
  timeZone: string | null;
  repeats: GameRepeat;
}

/** Date and times of a repetition. */
export interface Occurrence {
  /** Local date, such as 2026-03-01. A series has at most one repetition per date. */
  occursOn: string;
  day: string | null;
  startsAt: string | null;
  endsAt: string | null;
}

/** Range of Unix times, in milliseconds. */
interface TimeRange {
  /** Start, exclusive. */
  after: number;
  /** End, inclusive. */
  until: number;
}

const units = { DAILY: 'days', WEEKLY: 'weeks', MONTHLY: 'months' } as const;

const shiftDays = (instant: string | null, timeZone: string | null, days: number): string | null => {
  if (!instant) return null;
  const newTime = inTimeZone(instant, timeZone).plus({ days }).toUTC();
  return newTime.isValid ? normalizeInstant(formatLocalTime(newTime, secondFractionOf(instant)) ?? '') : null;
};

/** Returns the local date of a time, as the number of days since the Unix epoch. */
const dateOf = (time: DateTime): number => Math.floor(time.setZone('utc', { keepLocalTime: true }).toMillis() / 86_400_000);

/**
 * Returns the repetitions of a repeated game in a time range, earliest first. Excludes the game itself. All repetitions have the same local
 * time. A monthly game on the 31st takes place on the last day of shorter months. Empty for a game with neither a start nor a day.
 */
export function occurrencesOf({ day, startsAt, endsAt, timeZone, repeats }: Series, { after, until }: TimeRange): Occurrence[] {
  const firstInstant = startsAt ?? day;
  if (!firstInstant) return [];
  const dayZone = day && isDateWithoutTime(day) ? null : timeZone;
  const base = inTimeZone(firstInstant, startsAt ? timeZone : dayZone);
  const unit = units[repeats];
  const occurrences: Occurrence[] = [];
  const elapsedUnits = Math.floor(inTimeZone(new Date(after).toISOString(), null).diff(base, unit).as(unit));
  // The count starts one unit earlier, because a change to or from daylight saving time can make `elapsedUnits` too large.
  for (let count = Math.max(1, elapsedUnits - 1); ; count++) {
    const time = base.plus({ [unit]: count });
    if (!time.isValid || time.toMillis() > until) return occurrences;
    if (time.toMillis() <= after) continue;
    const days = dateOf(time) - dateOf(base);
    occurrences.push({
      occursOn: time.toFormat('yyyy-MM-dd'),
      day: shiftDays(day, dayZone, days),
      startsAt: shiftDays(startsAt, timeZone, days),
      endsAt: shiftDays(endsAt, timeZone, days),
    });
  }
}
