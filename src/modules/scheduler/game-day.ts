import { declare, type On } from '../../kernel/declare/fields.js';
import type { Shown } from '../../kernel/declare/meta.js';
import { Day } from '../../kernel/declare/scalars.js';
import { isBareDate, localOf } from './local-time.js';

/** What tells the day of a game. */
interface Told {
  /** A moment of the day, or midnight in UTC, which stands for the date. */
  day: string | null;
  /** The same by the clocks of its place, sent or worked out. */
  localDayRaw: string | null;
  timeZone: string | null;
}

/** The day of a game as its calendar has it: the one that was sent, that of the moment that was sent on the clocks of the place, or the date. */
export function dayOf({ day, localDayRaw, timeZone }: Told): string | null {
  const isDate = day !== null && isBareDate(day) && (localDayRaw === null || localDayRaw === localOf(day, timeZone));
  return (isDate ? day : (localDayRaw ?? day))?.slice(0, 10) ?? null;
}

/** The same in SQL. */
function dayIn(column: string): string {
  const [local, zone] = ['local_day_raw', 'time_zone'].map((name) => column.replace(/day$/, name));
  const workedOut = `(${column} at time zone known_zone(${zone})) at time zone 'UTC'`;
  const isDate = `${column} = date_trunc('day', ${column}, 'UTC') and coalesce(${local} = ${workedOut}, true)`;
  return `((case when ${isDate} then ${column} else coalesce(${local}, ${column}) end at time zone 'UTC')::date)`;
}

const shown: Shown = {
  show: (kept) => String(kept).slice(0, 10),
  keep: (given) => (String(given).length === 10 ? `${String(given)}T00:00:00Z` : given),
  expected: 'a day',
  sql: dayIn,
  type: 'date',
  filter: 'day',
};

/** A day of a game. What it shows needs more than its column: `dayOf`. */
export const gameDay =
  (description: string): On<string | null> =>
  (target, key) =>
    declare('instant', () => Day, description, { shown })(target, key);
