import { expression, type RowReference, type SqlExpression } from '../../../kernel/declare/expression.js';
import { declare, type FieldDecorator } from '../../../kernel/declare/fields/fields.js';
import type { Conversion } from '../../../kernel/declare/meta.js';
import { Day } from '../../../kernel/declare/scalars/scalars.js';
import { isDateWithoutTime, localTimeOf } from '../times/local-time.js';

/** Values that determine the day of a game. */
interface DaySource {
  /** Instant within the day of the game. For a date without a time, it is midnight UTC. */
  day: string | null;
  /** `day` in local time, as sent or derived from the time zone. */
  localDayRaw: string | null;
  timeZone: string | null;
}

/** Returns the local date of a game. */
export function dayOf({ day, localDayRaw, timeZone }: DaySource): string | null {
  const isDate = day !== null && isDateWithoutTime(day) && (localDayRaw === null || localDayRaw === localTimeOf(day, timeZone));
  return (isDate ? day : (localDayRaw ?? day))?.slice(0, 10) ?? null;
}

/** SQL expression that is equivalent to `dayOf`. */
function dayExpression(column: SqlExpression, row: RowReference): SqlExpression {
  const local = row.column('local_day_raw');
  const derivedDay = expression`(${column} at time zone time_zone_or_utc(${row}.time_zone)) at time zone 'UTC'`;
  const isDate = expression`${column} = date_trunc('day', ${column}, 'UTC') and coalesce(${local} = ${derivedDay}, true)`;
  return expression`((case when ${isDate} then ${column} else coalesce(${local}, ${column}) end at time zone 'UTC')::date)`;
}

const dayFormat: Conversion = {
  toGraph: (stored) => String(stored).slice(0, 10),
  toStored: (day) => (String(day).length === 10 ? `${String(day)}T00:00:00Z` : day),
  expected: 'a day',
  sql: dayExpression,
  type: 'date',
  filter: 'day',
};

/** Declares the field that contains the day of a game. Its value depends on several columns: see `dayOf`. */
export const gameDay =
  (description: string): FieldDecorator<string | null> =>
  (target, key) =>
    declare('instant', () => Day, description, { conversion: dayFormat })(target, key);
