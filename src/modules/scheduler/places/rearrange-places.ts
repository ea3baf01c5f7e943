import type { Context } from '../../../kernel/declare/context.js';
import type { Game } from '../games/game.js';
import { distributePlaces, type Places } from './places.js';

/** Reassigns the places of a locked game. Notifies users who gain or lose a place. Throws CONFLICT if there are too few places and no waiting list. */
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
  const isOtherUser = (playerId: string) => playerId !== caller.user?.id;
  const subject = { kind: 'GAME', id: game.id } as const;
  await services.notify(
    sql,
    playerIds.filter((playerId) => before.waitingIds.includes(playerId) && isOtherUser(playerId)),
    { event: 'GAME_PLACE', content: `You moved up from the waiting list of ${title} and now have a place.`, subject },
  );
  await services.notify(
    sql,
    waitingIds.filter((playerId) => before.playerIds.includes(playerId) && isOtherUser(playerId)),
    {
      event: 'GAME_CHANGED',
      content: `You were moved to the waiting list of ${title}, because it now has fewer places.`,
      subject,
    },
  );
}
