import { sql as raw } from 'kysely';
import type { Context, Services } from '../../kernel/declare/context.js';
import type { ChangeHook } from '../../kernel/declare/fields/options.js';
import type { Db } from '../../kernel/session.js';
import { formatDays } from './dates/formatted-days-sql.js';

type Event = Parameters<Services['notify']>[2]['event'];

const titleAndPlayers = (db: Db, id: string) =>
  db
    .selectFrom('tournament')
    .select(({ selectFrom }) => [
      'title',
      raw<string[]>`array${selectFrom('registration')
        .select('user_id')
        .distinct()
        .whereRef('tournament_id', '=', 'tournament.id')
        .where('user_id', 'is not', null)}`.as('players'),
    ])
    .where('id', '=', id);

/** Notifies each registered user of a tournament once. The text is the title of the tournament, followed by `predicate`. */
async function notifyRegisteredPlayers({ sql, services }: Context, id: string, event: Event, predicate: string): Promise<void> {
  const tournament = await sql.first(titleAndPlayers(sql.db, id));
  if (!tournament) return;
  await services.notify(sql, tournament.players, {
    event,
    content: `${tournament.title || 'A tournament that you are registered for'} ${predicate}`,
    subject: { kind: 'TOURNAMENT', id },
  });
}

/**
 * Notifies the registered players when the dates of a tournament change (decision 27). The message contains the dates in the tournament's
 * time zone.
 */
export const announceDates: ChangeHook = {
  columns: ['startsAt', 'endsAt', 'timeZone'],
  async onChange(before, after, context) {
    const [oldDays, days] = await formatDays(context.sql, [before, after]);
    const hasNewTimes = before.startsAt !== after.startsAt || before.endsAt !== after.endsAt;
    // A new time zone is not announced if the local dates stay the same.
    if (!hasNewTimes && oldDays === days) return;
    await notifyRegisteredPlayers(
      context,
      String(after.id),
      'TOURNAMENT_DATES_CHANGED',
      `has new dates: ${days ?? 'to be announced'}.`,
    );
  },
};

/** Notifies the registered players when a tournament is canceled. */
export const announceCancellation: ChangeHook = {
  columns: ['isCanceled'],
  async onChange(_, { id, isCanceled }, context) {
    if (isCanceled) await notifyRegisteredPlayers(context, String(id), 'TOURNAMENT_CANCELED', 'was canceled.');
  },
};
