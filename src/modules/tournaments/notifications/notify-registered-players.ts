import { sql as raw } from 'kysely';
import type { Context, Services } from '../../../kernel/declare/context.js';
import type { Db } from '../../../kernel/session.js';

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
export async function notifyRegisteredPlayers(
  { sql, services }: Context,
  id: string,
  event: Event,
  predicate: string,
): Promise<void> {
  const tournament = await sql.first(titleAndPlayers(sql.db, id));
  if (!tournament) return;
  await services.notify(sql, tournament.players, {
    event,
    content: `${tournament.title || 'A tournament that you are registered for'} ${predicate}`,
    subject: { kind: 'TOURNAMENT', id },
  });
}
