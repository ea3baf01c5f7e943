import type { Context } from '../../../kernel/declare/context.js';
import type { Game } from '../games/game.js';
import { distributePlaces, type Places } from './places.js';

/** Redistributes the places of a locked game. Notifies users who gain or lose a place. CONFLICT if there are too few places. */
export async function rearrangePlaces(
  { caller, sql, services }: Context,
  game: Game,
  title: string,
  places: Places,
): Promise<void> {
  const { playerIds, waitingIds } = distributePlaces(places);
  const before = { playerIds: game.playerIds, waitingIds: game.waitingIds };
  Object.assign(game, { playerIds, waitingIds });
  await sql.em.flush();
  const isNotCaller = (player: string) => player !== caller.user?.id;
  const subject = { kind: 'GAME', id: game.id } as const;
  await services.notify(
    sql,
    playerIds.filter((player) => before.waitingIds.includes(player) && isNotCaller(player)),
    { event: 'GAME_PLACE', content: `You have moved up from the waiting list of ${title}, and have a place now.`, subject },
  );
  await services.notify(
    sql,
    waitingIds.filter((player) => before.playerIds.includes(player) && isNotCaller(player)),
    { event: 'GAME_CHANGED', content: `There are fewer places in ${title}. You are on its waiting list now.`, subject },
  );
}
