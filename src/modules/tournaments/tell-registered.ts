import type { Context, Services } from '../../kernel/context.js';

type Event = Parameters<Services['notify']>[2]['event'];

/** Tells everybody who is registered for a tournament of something, each once: what it is called and then the sentence. */
export async function tellRegistered({ sql, services }: Context, id: unknown, event: Event, sentence: string): Promise<void> {
  const found = await sql.row<{ title: string | null; players: string[] }>(
    `select t.title, array(select distinct g.user_id from registration g where g.tournament_id = t.id and g.user_id is not null) as players
     from tournament t where t.id = $1`,
    [id],
  );
  if (!found) return;
  await services.notify(sql, found.players, {
    event,
    content: `${found.title || 'A tournament that you are registered for'} ${sentence}`,
    subject: { kind: 'TOURNAMENT', id: String(id) },
  });
}
