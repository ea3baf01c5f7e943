import type { DateTime } from 'luxon';
import { normalizeInstant } from '../../kernel/declare/instant.js';
import type { GameRepeat } from './game-values.js';
import { clockText, fractionOf, isBareDate, onClocks } from './local-time.js';

/** What of a repeating game says when it is played again. */
export interface Series {
  day: string | null;
  startsAt: string | null;
  endsAt: string | null;
  /** IANA name; UTC where it is none. */
  timeZone: string | null;
  repeats: GameRepeat;
}

/** When one occurrence takes place. */
export interface Occurrence {
  /** Its date where it is played, such as 2026-03-01: a series has one occurrence a date. */
  occursOn: string;
  day: string | null;
  startsAt: string | null;
  endsAt: string | null;
}

/** Milliseconds since 1970. */
interface Span {
  /** Occurrences begin later than this, */
  after: number;
  /** and not later than this. */
  until: number;
}

const units = { DAILY: 'days', WEEKLY: 'weeks', MONTHLY: 'months' } as const;

const moved = (instant: string | null, timeZone: string | null, days: number): string | null => {
  if (!instant) return null;
  const at = onClocks(instant, timeZone).plus({ days }).toUTC();
  return at.isValid ? normalizeInstant(clockText(at, fractionOf(instant)) ?? '') : null;
};

/** The date of a moment on its clocks, as a number of days. */
const dateOf = (at: DateTime): number => Math.floor(at.setZone('utc', { keepLocalTime: true }).toMillis() / 86_400_000);

/**
 * The occurrences of a repeating game within a span, the game itself left out, earliest first. The clocks at its place show the same time at
 * each of them; every month on the 31st is the last day of shorter months. None for a game without a start and a day.
 */
export function occurrencesOf({ day, startsAt, endsAt, timeZone, repeats }: Series, { after, until }: Span): Occurrence[] {
  const first = startsAt ?? day;
  if (!first) return [];
  const dayZone = day && isBareDate(day) ? null : timeZone;
  const base = onClocks(first, startsAt ? timeZone : dayZone);
  const unit = units[repeats];
  const found: Occurrence[] = [];
  const passed = Math.floor(onClocks(new Date(after).toISOString(), null).diff(base, unit).as(unit));
  // One earlier than counted: a change of the clocks may have made the count too large.
  for (let count = Math.max(1, passed - 1); ; count++) {
    const at = base.plus({ [unit]: count });
    if (!at.isValid || at.toMillis() > until) return found;
    if (at.toMillis() <= after) continue;
    const days = dateOf(at) - dateOf(base);
    found.push({
      occursOn: at.toFormat('yyyy-MM-dd'),
      day: moved(day, dayZone, days),
      startsAt: moved(startsAt, timeZone, days),
      endsAt: moved(endsAt, timeZone, days),
    });
  }
}
