import { sqlForReading } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Row, Session } from '../../../kernel/session.js';

const statement = `
  select string_agg(distinct day, ' to ' order by day) as days
  from unnest($1::timestamptz[], $2::timestamptz[], $3::text[]) with ordinality dates(starts, ends, zone, n)
  cross join lateral (select to_char(instant at time zone time_zone_or_utc(zone), 'YYYY-MM-DD') from unnest(array[starts, ends]) instant) d(day)
  group by n order by n`;

/**
 * Formats the first and the last day of each tournament in its time zone, such as `2041-03-02 to 2041-03-04`. Null for tournaments without
 * dates.
 */
export async function formatDays(sql: Session, tournaments: readonly Row[]): Promise<(string | null)[]> {
  const values = ['startsAt', 'endsAt', 'timeZone'].map((key) => tournaments.map((tournament) => tournament[key]));
  return (
    await sql.rows(sqlForReading(['time_zone'], statement, { otherDependency: 'now' }), values, { days: is.orNull(is.text) })
  ).map(({ days }) => days);
}
