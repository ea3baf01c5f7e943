import { sql as raw } from 'kysely';
import type { Context, Services } from '../../kernel/declare/context.js';
import type { Db } from '../../kernel/session.js';

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

/** Tells everybody who is registered for a tournament of something, each once: what it is called and then the sentence. */
export async function tellRegistered({ sql, services }: Context, id: string, event: Event, sentence: string): Promise<void> {
  const found = await sql.first(titleAndPlayers(sql.db, id));
  if (!found) return;
  await services.notify(sql, found.players, {
    event,
    content: `${found.title || 'A tournament that you are registered for'} ${sentence}`,
    subject: { kind: 'TOURNAMENT', id },
  });
}
