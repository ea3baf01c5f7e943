import { isDeepStrictEqual } from 'node:util';
import { Field, ID, InputType } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, pathIn } from '../../../kernel/declare/errors.js';
import { validatedBy } from '../../../kernel/declare/input-rules.js';
import { Problems } from '../../../kernel/declare/problems.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { entityToRow, saveEntity } from '../../../kernel/write/entities.js';
import { notifyPromotedUsers } from '../places/change-places.js';
import { addPlayer, type Places, type PlacesChange, removePlayer } from '../places/places.js';
import { checkUsers } from './check-users.js';
import type { Game } from './game.js';
import { lockManagedGame } from './lock-game.js';

/** Maximum number of users per request, which limits the number of notifications. */
const maxUsers = 100;
const field = 'userIds';

function checkPlayers({ userIds }: { userIds?: readonly string[] }, pathPrefix: string): void {
  if (!userIds) return;
  const problems = new Problems();
  if (userIds.length === 0 || userIds.length > maxUsers) problems.add(`${pathPrefix}${field}`, `1 to ${maxUsers} ids of users`);
  else
    for (const [index, id] of userIds.entries())
      if (id === '' || id.length > 255) problems.add(pathIn(`${pathPrefix}${field}`, index), 'an id of 1 to 255 characters');
  problems.throwIfAny();
}

@validatedBy(checkPlayers)
@InputType({ description: 'Players of a game.' })
export class GamePlayersInput {
  @Field(() => [ID], { description: `IDs of 1 to ${maxUsers} users, in the order in which they join the game.` })
  userIds!: string[];
}

/** Saves the players and the waiting list of a locked game. Notifies the affected users, except the caller. */
async function savePlaces(
  context: Context,
  game: Game,
  { playerIds, waitingIds }: Places,
  returning: readonly string[],
): Promise<RowOf<Game>> {
  const { caller, sql, services } = context;
  const before = { playerIds: game.playerIds, waitingIds: game.waitingIds };
  if (isDeepStrictEqual(before, { playerIds, waitingIds })) return entityToRow(game, returning);
  Object.assign(game, { playerIds: [...playerIds], waitingIds: [...waitingIds] });
  const title = game.title || 'a game';
  const subject = { kind: 'GAME', id: game.id } as const;
  const withoutCaller = (ids: readonly string[]) => ids.filter((id) => id !== caller.user?.id);
  const isMember = (id: string) => playerIds.includes(id) || waitingIds.includes(id);
  const newPlayerIds = playerIds.filter((id) => !before.playerIds.includes(id));
  const promotedIds = newPlayerIds.filter((id) => before.waitingIds.includes(id));
  const newWaitingIds = waitingIds.filter((id) => !before.waitingIds.includes(id));
  const removedIds = [...before.playerIds, ...before.waitingIds].filter((id) => !isMember(id));
  const changeEvent = { event: 'GAME_CHANGED', subject } as const;
  await notifyPromotedUsers(context, game.id, title, withoutCaller(promotedIds));
  await services.notify(sql, withoutCaller(newPlayerIds.filter((id) => !promotedIds.includes(id))), {
    event: 'GAME_PLACE',
    subject,
    content: `You have been added to ${title} as a player.`,
  });
  await services.notify(sql, withoutCaller(newWaitingIds), {
    ...changeEvent,
    content: `You have been added to the waiting list of ${title}.`,
  });
  await services.notify(sql, withoutCaller(removedIds), { ...changeEvent, content: `You have been removed from ${title}.` });
  return saveEntity(context, game, returning);
}

async function changePlayers(
  context: Context,
  change: PlacesChange,
  id: string,
  userIds: readonly string[],
  returning: readonly string[],
): Promise<RowOf<Game>> {
  checkPlayers({ userIds }, 'input.');
  return context.sql.transaction(async () => {
    const game = await lockManagedGame(context, id);
    if (game.archivedAt) fail('CONFLICT', 'the game is archived');
    const isNew = (userId: string) => ![...game.playerIds, ...game.waitingIds].includes(userId);
    await checkUsers(context.sql, userIds, `input.${field}`, isNew);
    const places: Places = game;
    return savePlaces(context, game, userIds.reduce(change, places), returning);
  });
}

/**
 * Adds all specified players to a game, or none. Players who get no place join the waiting list. Throws CONFLICT if a player gets no place
 * and the game has no waiting list.
 */
export const addPlayers = (
  context: Context,
  id: string,
  { userIds }: GamePlayersInput,
  returning: readonly string[],
): Promise<RowOf<Game>> => changePlayers(context, addPlayer, id, userIds, returning);

/** Removes players from a game or its waiting list. The first waiting users get the free places, unless the waiting list is manual. */
export const removePlayers = (
  context: Context,
  id: string,
  { userIds }: GamePlayersInput,
  returning: readonly string[],
): Promise<RowOf<Game>> => changePlayers(context, removePlayer, id, userIds, returning);
