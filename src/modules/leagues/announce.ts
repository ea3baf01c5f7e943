import type { Context } from '../../kernel/context.js';
import type { Player } from './send-to-players.js';

/** Tells players inside the service what a league wrote to them (decision 27). */
export const announce = ({ sql, services }: Context, players: readonly Player[], text: string): Promise<void> =>
  services.notify(
    sql,
    players.map(({ id }) => id),
    { event: 'LEAGUE_MESSAGE', content: text },
  );
