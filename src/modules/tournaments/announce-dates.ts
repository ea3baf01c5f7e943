import type { RecordOptions } from '../../kernel/record.js';

/** Tells everybody who is registered for a tournament that it has other dates (decision 27). */
export const announceDates: NonNullable<RecordOptions['onChange']> = {
  of: ['startsAt', 'endsAt'],
  async follow(_, { id, startsAt, endsAt }, { sql, services }) {
    const found = await sql.row<{ title: string | null; players: string[] }>(
      `select t.title, array(select distinct g.user_id from registration g where g.tournament_id = t.id and g.user_id is not null) as players
       from tournament t where t.id = $1`,
      [id],
    );
    if (!found) return;
    const days = [startsAt, endsAt].filter((day) => typeof day === 'string').map((day) => day.slice(0, 10));
    const dates = [...new Set(days)].join(' to ') || 'not known yet';
    await services.notify(sql, found.players, {
      event: 'TOURNAMENT_DATES_CHANGED',
      content: `${found.title || 'A tournament that you are registered for'} has new dates: ${dates}.`,
      subject: { kind: 'TOURNAMENT', id: String(id) },
    });
  },
};
