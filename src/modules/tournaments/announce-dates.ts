import type { Follower } from '../../kernel/record.js';
import type { Row, Sql } from '../../kernel/sql.js';
import { tellRegistered } from './tell-registered.js';

/** The days of each row's dates in its time zone, as text; null for a row without dates. */
async function daysIn(sql: Sql, rows: readonly Row[]): Promise<(string | null)[]> {
  const found = await sql.rows<{ days: string | null }>(
    `select string_agg(distinct day, ' to ' order by day) as days
     from unnest($1::timestamptz[], $2::timestamptz[], $3::text[]) with ordinality dates(starts, ends, zone, n)
     cross join lateral (select to_char(moment at time zone known_zone(zone), 'YYYY-MM-DD') from unnest(array[starts, ends]) moment) d(day)
     group by n order by n`,
    ['startsAt', 'endsAt', 'timeZone'].map((key) => rows.map((row) => row[key])),
  );
  return found.map(({ days }) => days);
}

/** Tells everybody who is registered for a tournament that it has other dates (decision 27), the days being those of its time zone. */
export const announceDates: Follower = {
  of: ['startsAt', 'endsAt', 'timeZone'],
  async follow(before, after, context) {
    const [old, days] = await daysIn(context.sql, [before, after]);
    const isMoved = before.startsAt !== after.startsAt || before.endsAt !== after.endsAt;
    // Another name of the same zone, or one with the same midnights, moves nothing.
    if (!isMoved && old === days) return;
    await tellRegistered(context, after.id, 'TOURNAMENT_DATES_CHANGED', `has new dates: ${days ?? 'not known yet'}.`);
  },
};
