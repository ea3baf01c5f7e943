import type { Context } from '../../kernel/declare/context.js';

/** Notifies players of a message from a league (decision 27). */
export const notifyLeaguePlayers = (
  { sql, services }: Context,
  players: readonly { id: string }[],
  text: string,
): Promise<void> =>
  services.notify(
    sql,
    players.map(({ id }) => id),
    { event: 'LEAGUE_MESSAGE', content: text },
  );
