import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { addPlayers, GamePlayersInput, removePlayers } from './change-players.js';
import { Game } from './game.js';

const gameId = 'Id of the game.';

/** Players of a game, as who schedules it adds and removes them. */
@Resolver()
export class PlayersResolver {
  @writes(Game)
  @Mutation(() => Game, {
    description:
      'Adds players to a game and notifies them, all of them or none. Those beyond the last place wait; CONFLICT where the game has no waiting list, or is archived. Nothing changes for who plays already. For the owner of the game: FORBIDDEN for others.',
  })
  addGamePlayers(
    @Arg('id', () => ID, { description: gameId }) id: string,
    @Arg('input', () => GamePlayersInput, { description: 'Whom to add.' }) input: GamePlayersInput,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return addPlayers(context, id, input, columnsWanted(Game, info));
  }

  @writes(Game)
  @Mutation(() => Game, {
    description:
      'Takes players out of a game, or off its waiting list, and notifies them. Who waits longest moves up, unless `isWaitingListManual`. Nothing changes for users who are not in it. BAD_INPUT for unknown users. CONFLICT where the game is archived. For the owner of the game: FORBIDDEN for others.',
  })
  removeGamePlayers(
    @Arg('id', () => ID, { description: gameId }) id: string,
    @Arg('input', () => GamePlayersInput, { description: 'Whom to remove.' }) input: GamePlayersInput,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return removePlayers(context, id, input, columnsWanted(Game, info));
  }
}
