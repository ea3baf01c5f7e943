import type { Context } from '../../kernel/declare/context.js';

/** Tells players inside the service what a league wrote to them (decision 27). */
export const announceLeague = ({ sql, services }: Context, players: readonly { id: string }[], text: string): Promise<void> =>
  services.notify(
    sql,
    players.map(({ id }) => id),
    { event: 'LEAGUE_MESSAGE', content: text },
  );
