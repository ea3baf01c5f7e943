import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../../kernel/declare/row-of.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { addPlayers, GamePlayersInput, removePlayers } from './change-players.js';
import { Game } from './game.js';

const gameIdDescription = 'ID of the game.';

/** Mutations that add and remove players, for callers who manage the game. */
@Resolver()
export class PlayersResolver {
  @allowWriters(Game)
  @Mutation(() => Game, {
    description:
      'Adds players to a game, all or none, and notifies them. Players without a place join the waiting list. CONFLICT if the game has no waiting list or is archived. No effect for users who already play. FORBIDDEN unless the caller manages the game.',
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
      'Removes players from a game or its waiting list, and notifies them. The first waiting users move up, unless `isWaitingListManual`. No effect for users who are not in the game. BAD_INPUT for unknown users. CONFLICT if the game is archived. FORBIDDEN unless the caller manages the game.',
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
