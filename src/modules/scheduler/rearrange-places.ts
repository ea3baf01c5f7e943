import type { Context } from '../../kernel/declare/context.js';
import { update } from '../../kernel/write/save.js';
import { Game } from './game.js';
import { arranged, type Places } from './places.js';

/** Gives the places of a locked game anew, and tells who has got one, or has lost it and waits now. CONFLICT where there are too few. */
export async function rearrangePlaces(
  context: Context,
  { id, title, ...before }: Places & { id: string; title: string },
  places: Places,
): Promise<void> {
  const { playerIds, waitingIds } = arranged(places);
  await update(context, Game, id, {}, ['id'], { playerIds, waitingIds });
  const { caller, sql, services } = context;
  const isAnother = (player: string) => player !== caller.user?.id;
  const subject = { kind: 'GAME', id } as const;
  await services.notify(
    sql,
    playerIds.filter((player) => before.waitingIds.includes(player) && isAnother(player)),
    { event: 'GAME_PLACE', content: `A place in ${title} is free, and it is yours.`, subject },
  );
  await services.notify(
    sql,
    waitingIds.filter((player) => before.playerIds.includes(player) && isAnother(player)),
    { event: 'GAME_CHANGED', content: `There are fewer places in ${title}, and you wait for one.`, subject },
  );
}
