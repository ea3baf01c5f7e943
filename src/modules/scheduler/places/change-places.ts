import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { RowOf } from '../../../kernel/declare/row-of.js';
import { entityToRow, saveEntityAnonymously } from '../../../kernel/write/entities.js';
import { checkUser } from '../games/check-users.js';
import type { Game } from '../games/game.js';
import { lockGame } from '../games/lock-game.js';
import { checkCanJoin } from '../groups/check-group-sql.js';
import { addPlayer, type Places, removePlayer } from './places.js';

type Change = (places: Places, userId: string) => Places;
type Check = (context: Context, game: Game) => Promise<void>;

const changePlaces = (
  context: Context,
  change: Change,
  id: string,
  userId: string,
  returning: readonly string[],
  check?: Check,
): Promise<RowOf<Game>> =>
  context.sql.transaction(async () => {
    const { caller, sql, services } = context;
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
    await services.notify(sql, promotedIds, {
      event: 'GAME_PLACE',
      content: `You moved up from the waiting list of ${game.title || 'a game'} and now have a place.`,
      subject: { kind: 'GAME', id },
    });
    return saveEntityAnonymously(context, game, returning);
  });

/** Adds a user to a game, or to its waiting list if it is full. Throws CONFLICT if the game is full and has no waiting list. */
export const optIn = (context: Context, id: string, userId: string, returning: readonly string[]): Promise<RowOf<Game>> =>
  changePlaces(context, addPlayer, id, userId, returning, checkCanJoin);

/** Removes a user from a game or its waiting list. Notifies users who move up from the waiting list. */
export const optOut = (context: Context, id: string, userId: string, returning: readonly string[]): Promise<RowOf<Game>> =>
  changePlaces(context, removePlayer, id, userId, returning);
