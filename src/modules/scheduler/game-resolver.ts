import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Int, Mutation, Resolver, Root } from 'type-graphql';
import type { Caller } from '../../kernel/declare/caller.js';
import type { Context } from '../../kernel/declare/context.js';
import { onBehalfOf } from '../../kernel/declare/on-behalf-of.js';
import type { Values } from '../../kernel/declare/options.js';
import { allow, platform, user } from '../../kernel/declare/policy.js';
import { needs } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { Day } from '../../kernel/declare/scalars.js';
import { legacyArgument } from '../../kernel/declare/shown.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { ifVersionArg } from '../../kernel/serve/if-version.js';
import { inputOf } from '../../kernel/write/input.js';
import { cancelGame } from './cancel-game.js';
import { optIn, optOut } from './change-places.js';
import { Game } from './game.js';
import { dayOf } from './game-day.js';
import { scheduleGame } from './schedule-game.js';
import { seesPlayers } from './sees-players.js';
import { updateGame } from './update-game.js';

const who = 'Who: the signed-in user unless a platform names another one.';

type PlayerLists = Pick<Game, 'ownerId' | 'showsPlayersToInvited' | 'playerIds' | 'waitingIds'>;

/** Whether the invited addresses are shown: to the owner and to platforms. */
const seesAddresses = (game: PlayerLists, caller: Caller): boolean =>
  (caller.platform !== null || caller.user?.id === game.ownerId) && seesPlayers.shows({ ...game }, caller);

@Resolver(() => Game)
export class GameResolver {
  @writes(Game)
  @Mutation(() => Game, {
    description:
      'Schedules a game of the signed-in user. Platforms and admins can name another owner; for others that is FORBIDDEN. Invited users are notified. Invited e-mail addresses without a verified user get a mail, and a user who verifies such an address later is invited then. For a repeated game, the occurrences of the next 60 days are created, and further ones every day. Each player counts once. Local times are converted with the time zone. BAD_INPUT if the game has no start, the start is past, the end is before the start, the time zone is unknown, `invitedIds` or `playerIds` has unknown IDs, `ownerId` or `groupId` is unknown, or there are more players than places and no waiting list.',
  })
  scheduleGame(
    @Arg(legacyArgument, () => Boolean, {
      defaultValue: false,
      description:
        'Accepts any times, time zone and number of places, and unknown users and groups, like `/v1`. Use it for games of another system. More players than places are a CONFLICT.',
    })
    acceptsLegacyValues: boolean,
    @Arg('input', () => inputOf(Game), { description: 'Its values.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return scheduleGame(context, input, acceptsLegacyValues, columnsWanted(Game, info));
  }

  @writes(Game)
  @Mutation(() => Game, {
    description:
      'Changes the fields given of a game. Who plays, waits or is invited hears of another title, time, court, place or description; invited addresses that nobody has proven to be theirs get a mail. Invitees who declined stay declined: see `inviteToGame`. Repetitions that were made stay as they are: new values are those of games that are made from then on. Players who are named replace the earlier ones. BAD_INPUT for a start that is removed or past, and for what `scheduleGame` refuses otherwise.',
  })
  updateGame(
    @Arg('id', () => ID, { description: 'Id of the game.' }) id: string,
    @Arg('input', () => inputOf(Game), { description: 'Its values.' }) input: Values,
    @ifVersionArg() ifVersion: number | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return updateGame(context, id, input, columnsWanted(Game, info), ifVersion);
  }

  @writes(Game)
  @Mutation(() => Game, {
    description:
      'Calls a game off, deletes it and returns it as it was. With the first game of a series its repetitions that have not begun are deleted; a repetition is deleted alone, and not made again. Who plays, waits or is invited is notified; invited addresses that nobody has proven to be theirs get a mail.',
  })
  cancelGame(
    @Arg('id', () => ID, { description: 'Id of the game.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return cancelGame(context, id, columnsWanted(Game, info));
  }

  @allow(platform, user)
  @Mutation(() => Game, {
    description:
      'Joins a game; where it is full its waiting list, and without one CONFLICT. Nothing changes for who has joined already.',
  })
  optIn(
    @Arg('gameId', () => ID, { description: 'Id of the game.' }) gameId: string,
    @Arg('userId', () => ID, { nullable: true, description: who }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return optIn(context, gameId, onBehalfOf(context, userId), columnsWanted(Game, info));
  }

  @allow(platform, user)
  @Mutation(() => Game, {
    description: 'Leaves a game, or its waiting list. Who waits longest moves up and is notified, unless the owner sees to that.',
  })
  optOut(
    @Arg('gameId', () => ID, { description: 'Id of the game.' }) gameId: string,
    @Arg('userId', () => ID, { nullable: true, description: who }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return optOut(context, gameId, onBehalfOf(context, userId), columnsWanted(Game, info));
  }

  @needs('declinedEmails', 'ownerId', 'showsPlayersToInvited', 'playerIds', 'waitingIds')
  @FieldResolver(() => [String], {
    description:
      'Invited e-mail addresses whose owners declined, in lower case; shown to the owner and to platforms, empty for others.',
  })
  declinedEmails(
    @Root() game: Pick<Game, 'declinedEmails' | 'ownerId' | 'showsPlayersToInvited' | 'playerIds' | 'waitingIds'>,
    @Ctx() { caller }: Context,
  ): string[] {
    return seesAddresses(game, caller) ? game.declinedEmails : [];
  }

  @needs('day', 'localDayRaw', 'timeZone')
  @FieldResolver(() => Day, { nullable: true })
  day(@Root() game: Pick<Game, 'day' | 'localDayRaw' | 'timeZone'>): string | null {
    return dayOf(game);
  }

  @needs('playerIds')
  @FieldResolver(() => Int, { description: 'How many play.' })
  playerCount(@Root() { playerIds }: Pick<Game, 'playerIds'>): number {
    return playerIds.length;
  }

  @needs('waitingIds')
  @FieldResolver(() => Int, { description: 'How many wait for a place.' })
  waitingCount(@Root() { waitingIds }: Pick<Game, 'waitingIds'>): number {
    return waitingIds.length;
  }

  @needs('waitingIds')
  @FieldResolver(() => Boolean, { description: 'The signed-in user waits for a place.' })
  isViewerWaiting(@Root() { waitingIds }: Pick<Game, 'waitingIds'>, @Ctx() { caller: { user } }: Context): boolean {
    return user !== null && waitingIds.includes(user.id);
  }

  @needs('invitedEmails', 'ownerId', 'showsPlayersToInvited', 'playerIds', 'waitingIds')
  @FieldResolver(() => [String], {
    description: 'E-mail addresses that are invited; shown to the owner and to platforms, empty for others.',
  })
  invitedEmails(
    @Root() game: Pick<Game, 'invitedEmails' | 'ownerId' | 'showsPlayersToInvited' | 'playerIds' | 'waitingIds'>,
    @Ctx() { caller }: Context,
  ): string[] {
    return seesAddresses(game, caller) ? game.invitedEmails : [];
  }
}
