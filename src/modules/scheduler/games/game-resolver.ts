import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Int, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { deletedIdsFields } from '../../../kernel/declare/deleted-ids.js';
import { legacyArgumentName } from '../../../kernel/declare/fields/legacy-fields.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { allow, platform, user } from '../../../kernel/declare/policy/policy.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { Day } from '../../../kernel/declare/scalars/scalars.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { ifVersionArg } from '../../../kernel/serve/arguments.js';
import { inputOf } from '../../../kernel/write/input.js';
import { optIn, optOut } from '../places/change-places.js';
import { cancelGame } from './cancel-game.js';
import { addPlayers, GamePlayersInput, removePlayers } from './change-players.js';
import { Game } from './game.js';
import { playersRestriction } from './game-access.js';
import { dayOf } from './game-day.js';
import { scheduleGame } from './schedule-game.js';
import { updateGame } from './update-game.js';

const gameIdDescription = 'ID of the game.';
const userIdDescription = 'ID of the user. Default: the signed-in user. Only platforms can specify another user.';

type PlayerLists = Pick<Game, 'ownerId' | 'showsPlayersToInvited' | 'playerIds' | 'waitingIds'>;

/** Whether the caller sees invited and declined addresses. True for the owner, and for platforms that can see the players. */
const seesAddresses = (game: PlayerLists, caller: Caller): boolean =>
  (caller.platform !== null || caller.user?.id === game.ownerId) && playersRestriction.canSee({ ...game }, caller);

export const deletedGames = deletedIdsFields(Game, ['cancelGame'], { deletedGameIds: 'game and its repetitions' });

@Resolver(() => Game)
export class GameResolver {
  @allowWriters(Game)
  @Mutation(() => Game, {
    description:
      'Schedules a game for the signed-in user. Only platforms and admins can specify another owner. Invited users are notified. The service sends an email to each invited address that no user has verified. A user who later verifies such an address is invited at that time. For a repeated game, the service creates the games of the next 60 days, and adds further games every day. Duplicate players count once. Local times are converted to instants with `timeZone`. BAD_INPUT if the game has no start time (a date alone is not sufficient), starts in the past, or ends before it starts. BAD_INPUT if `timeZone`, `ownerId` or `groupId` is unknown, or if `invitedIds` or `playerIds` contains unknown IDs. BAD_INPUT if there are more players than places and no waiting list.',
  })
  scheduleGame(
    @Arg(legacyArgumentName, () => Boolean, {
      defaultValue: false,
      description:
        'Whether to accept any times, any time zone, any number of places, and unknown users and groups, as `/v1` does. Use this to import games from another system. CONFLICT if there are more players than places.',
    })
    acceptsLegacyValues: boolean,
    @Arg('input', () => inputOf(Game), { description: 'Fields to set on the game.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return scheduleGame(context, input, acceptsLegacyValues, selectedColumns(Game, info));
  }

  @allowWriters(Game)
  @Mutation(() => Game, {
    description:
      'Updates the supplied fields of a game. Players, waiting and invited users are notified of a new title, time, court, location or description. The service sends an email to each invited address that no user has verified. Invitees who declined stay declined: see `inviteToGame`. New values apply only to repetitions created later. `playerIds` replaces the current players. BAD_INPUT if the start is removed or in the past, or for any of the other reasons listed for `scheduleGame`.',
  })
  updateGame(
    @Arg('id', () => ID, { description: gameIdDescription }) id: string,
    @Arg('input', () => inputOf(Game), { description: 'Fields to set on the game.' }) input: Values,
    @ifVersionArg() ifVersion: number | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return updateGame(context, id, input, selectedColumns(Game, info), ifVersion);
  }

  @allowWriters(Game)
  @Mutation(() => Game, {
    description:
      'Cancels and deletes a game, and returns it. If it is the first game of a series, its repetitions that have not started are also deleted. If it is a repetition, only this repetition is deleted, and it is not created again. Players, waiting and invited users are notified. The service sends an email to each invited address that no user has verified.',
  })
  cancelGame(
    @Arg('id', () => ID, { description: gameIdDescription }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return cancelGame(context, id, selectedColumns(Game, info));
  }

  @allow(platform, user)
  @Mutation(() => Game, {
    description:
      'Joins a game, or its waiting list if the game is full. CONFLICT if the game is archived, or if it is full and has no waiting list. FORBIDDEN for users who are neither invited nor members of the private group of the game. No effect if the user has already joined.',
  })
  optIn(
    @Arg('gameId', () => ID, { description: gameIdDescription }) gameId: string,
    @Arg('userId', () => ID, { nullable: true, description: userIdDescription }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return optIn(context, gameId, onBehalfOf(context, userId), selectedColumns(Game, info));
  }

  @allow(platform, user)
  @Mutation(() => Game, {
    description:
      'Leaves a game or its waiting list. If a place becomes free, the first waiting user gets it and is notified, unless `isWaitingListManual` is true. CONFLICT if the game is archived.',
  })
  optOut(
    @Arg('gameId', () => ID, { description: gameIdDescription }) gameId: string,
    @Arg('userId', () => ID, { nullable: true, description: userIdDescription }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return optOut(context, gameId, onBehalfOf(context, userId), selectedColumns(Game, info));
  }

  @readsColumns('declinedEmails', 'ownerId', 'showsPlayersToInvited', 'playerIds', 'waitingIds')
  @FieldResolver(() => [String], {
    description:
      'Invited email addresses that declined, in lower case. Visible to the owner, and to platforms that can see the players. Empty for other callers.',
  })
  declinedEmails(@Root() game: PlayerLists & Pick<Game, 'declinedEmails'>, @Ctx() { caller }: Context): string[] {
    return seesAddresses(game, caller) ? game.declinedEmails : [];
  }

  @readsColumns('day', 'localDayRaw', 'timeZone')
  @FieldResolver(() => Day, { nullable: true })
  day(@Root() game: Pick<Game, 'day' | 'localDayRaw' | 'timeZone'>): string | null {
    return dayOf(game);
  }

  @readsColumns('playerIds')
  @FieldResolver(() => Int, { description: 'Number of players.' })
  playerCount(@Root() { playerIds }: Pick<Game, 'playerIds'>): number {
    return playerIds.length;
  }

  @readsColumns('waitingIds')
  @FieldResolver(() => Int, { description: 'Number of users on the waiting list.' })
  waitingCount(@Root() { waitingIds }: Pick<Game, 'waitingIds'>): number {
    return waitingIds.length;
  }

  @readsColumns('waitingIds')
  @FieldResolver(() => Boolean, { description: 'Whether the signed-in user is on the waiting list. False without a user token.' })
  isViewerWaiting(@Root() { waitingIds }: Pick<Game, 'waitingIds'>, @Ctx() { caller: { user } }: Context): boolean {
    return user !== null && waitingIds.includes(user.id);
  }

  @readsColumns('invitedEmails', 'ownerId', 'showsPlayersToInvited', 'playerIds', 'waitingIds')
  @FieldResolver(() => [String], {
    description:
      'Invited email addresses. Visible to the owner, and to platforms that can see the players. Empty for other callers.',
  })
  invitedEmails(@Root() game: PlayerLists & Pick<Game, 'invitedEmails'>, @Ctx() { caller }: Context): string[] {
    return seesAddresses(game, caller) ? game.invitedEmails : [];
  }

  @readsColumns('playerIds')
  @FieldResolver(() => Boolean, { description: 'Whether the signed-in user is a player. False without a user token.' })
  isViewerPlaying(@Root() { playerIds }: Pick<Game, 'playerIds'>, @Ctx() { caller: { user } }: Context): boolean {
    return user !== null && playerIds.includes(user.id);
  }

  @readsColumns('invitedIds', 'invitedByEmailIds')
  @FieldResolver(() => Boolean, {
    description: 'Whether the signed-in user is invited, by ID or by a verified email address. False without a user token.',
  })
  isViewerInvited(
    @Root() { invitedIds, invitedByEmailIds }: Pick<Game, 'invitedIds' | 'invitedByEmailIds'>,
    @Ctx() { caller: { user } }: Context,
  ): boolean {
    return user !== null && (invitedIds.includes(user.id) || invitedByEmailIds.includes(user.id));
  }

  @allowWriters(Game)
  @Mutation(() => Game, {
    description:
      'Adds all specified players to a game, or none of them, and notifies them. Players without a place join the waiting list. CONFLICT if the game is archived, or if it has too few places and no waiting list. Users who are already players in the game are ignored. FORBIDDEN unless the caller manages the game.',
  })
  addGamePlayers(
    @Arg('id', () => ID, { description: gameIdDescription }) id: string,
    @Arg('input', () => GamePlayersInput, { description: 'Players to add.' }) input: GamePlayersInput,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return addPlayers(context, id, input, selectedColumns(Game, info));
  }

  @allowWriters(Game)
  @Mutation(() => Game, {
    description:
      'Removes players from a game or its waiting list, and notifies them. The first waiting users get the free places, unless `isWaitingListManual` is true. No effect for users who are not in the game. BAD_INPUT for unknown users. CONFLICT if the game is archived. FORBIDDEN unless the caller manages the game.',
  })
  removeGamePlayers(
    @Arg('id', () => ID, { description: gameIdDescription }) id: string,
    @Arg('input', () => GamePlayersInput, { description: 'Players to remove.' }) input: GamePlayersInput,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return removePlayers(context, id, input, selectedColumns(Game, info));
  }
}
