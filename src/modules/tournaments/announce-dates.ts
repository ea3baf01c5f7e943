import type { RecordOptions } from '../../kernel/record.js';
import type { Row, Sql } from '../../kernel/sql.js';

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
export const announceDates: NonNullable<RecordOptions['onChange']> = {
  of: ['startsAt', 'endsAt', 'timeZone'],
  async follow(before, after, { sql, services }) {
    const [old, days] = await daysIn(sql, [before, after]);
    const isMoved = before.startsAt !== after.startsAt || before.endsAt !== after.endsAt;
    // Another name of the same zone, or one with the same midnights, moves nothing.
    if (!isMoved && old === days) return;
    const found = await sql.row<{ title: string | null; players: string[] }>(
      `select t.title, array(select distinct g.user_id from registration g where g.tournament_id = t.id and g.user_id is not null) as players
       from tournament t where t.id = $1`,
      [after.id],
    );
    if (!found) return;
    await services.notify(sql, found.players, {
      event: 'TOURNAMENT_DATES_CHANGED',
      content: `${found.title || 'A tournament that you are registered for'} has new dates: ${days ?? 'not known yet'}.`,
      subject: { kind: 'TOURNAMENT', id: String(after.id) },
    });
  },
};
