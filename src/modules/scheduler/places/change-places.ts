import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { entityToRow, saveEntityAnonymously } from '../../../kernel/write/entities.js';
import { checkUser } from '../games/check-users.js';
import type { Game } from '../games/game.js';
import { lockGame } from '../games/lock-game.js';
import { checkCanJoin } from '../groups/check-group-sql.js';
import { addPlayer, distributePlaces, type Places, type PlacesChange, removePlayer } from './places.js';

type Check = (context: Context, game: Game) => Promise<void>;

/** Notifies users who moved up from the waiting list of a game. */
export const notifyPromotedUsers = (
  { sql, services }: Context,
  gameId: string,
  title: string,
  userIds: readonly string[],
): Promise<void> =>
  services.notify(sql, userIds, {
    event: 'GAME_PLACE',
    content: `You moved up from the waiting list of ${title} and now have a place.`,
    subject: { kind: 'GAME', id: gameId },
  });

const changePlaces = (
  context: Context,
  change: PlacesChange,
  id: string,
  userId: string,
  returning: readonly string[],
  check?: Check,
): Promise<RowOf<Game>> =>
  context.sql.transaction(async () => {
    const { caller, sql } = context;
    const game = await lockGame(context, id);
    await check?.(context, game);
    const isMember = [...game.playerIds, ...game.waitingIds].includes(userId);
    if (userId !== caller.user?.id && !isMember) await checkUser(sql, userId, 'userId');
    if (game.archivedAt) fail('CONFLICT', 'the game is archived');
    const { playerIds, waitingIds } = change(game, userId);
    if (isDeepStrictEqual([playerIds, waitingIds], [game.playerIds, game.waitingIds])) return entityToRow(game, returning);
    const promotedIds = playerIds.filter((player) => player !== userId && !game.playerIds.includes(player));
    game.playerIds = [...playerIds];
    game.waitingIds = [...waitingIds];
    await notifyPromotedUsers(context, id, game.title || 'a game', promotedIds);
    return saveEntityAnonymously(context, game, returning);
  });

/**
 * Adds a user to a game, or to its waiting list if the game is full. Throws CONFLICT if the game is archived, or if it is full and has no
 * waiting list.
 */
export const optIn = (context: Context, id: string, userId: string, returning: readonly string[]): Promise<RowOf<Game>> =>
  changePlaces(context, addPlayer, id, userId, returning, checkCanJoin);

/** Removes a user from a game or its waiting list. Notifies users who move up from the waiting list. */
export const optOut = (context: Context, id: string, userId: string, returning: readonly string[]): Promise<RowOf<Game>> =>
  changePlaces(context, removePlayer, id, userId, returning);

/**
 * Reassigns the places of a locked game. Notifies users who move from or to the waiting list. Throws CONFLICT if there are too few places
 * and no waiting list.
 */
export async function rearrangePlaces(context: Context, game: Game, title: string, places: Places): Promise<void> {
  const { caller, sql, services } = context;
  const { playerIds, waitingIds } = distributePlaces(places);
  const before = { playerIds: game.playerIds, waitingIds: game.waitingIds };
  Object.assign(game, { playerIds, waitingIds });
  await sql.em.flush();
  const isOtherUser = (playerId: string) => playerId !== caller.user?.id;
  const promotedIds = playerIds.filter((playerId) => before.waitingIds.includes(playerId));
  const demotedIds = waitingIds.filter((playerId) => before.playerIds.includes(playerId));
  await notifyPromotedUsers(context, game.id, title, promotedIds.filter(isOtherUser));
  await services.notify(sql, demotedIds.filter(isOtherUser), {
    event: 'GAME_CHANGED',
    content: `You were moved to the waiting list of ${title}, because it now has fewer places.`,
    subject: { kind: 'GAME', id: game.id },
  });
}
