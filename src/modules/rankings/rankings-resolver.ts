import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Int, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { reject } from '../../kernel/declare/errors.js';
import { allow, visitor } from '../../kernel/declare/policy.js';
import { allOf } from '../../kernel/declare/problems.js';
import { Instant } from '../../kernel/declare/scalars.js';
import type { ListArgs } from '../../kernel/read/list.js';
import { checkPart } from '../../kernel/read/part.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { timeFor } from '../../kernel/reads.js';
import { type Connection, connectionOf } from '../../kernel/serve/connection.js';
import { listArgumentsOf, PartArguments } from '../../kernel/serve/list-arguments.js';
import { connectNamed } from '../../kernel/serve/named-connection.js';
import { Gender, User } from '../accounts/user.js';
import { Division } from './division.js';
import { rankPlayers } from './rank-players-sql.js';
import { RankedPlayer, RankedPlayerConnection } from './ranked-player.js';
import { cursorAt, positionOf } from './ranking-cursor.js';
import { RankingPoints } from './ranking-points.js';
import { RankingStats } from './ranking-stats.js';
import { windowOf } from './ranking-window.js';

/** Rankings of players by their points (section 4.11, decision 25). */
@Resolver(() => RankedPlayer)
export class RankingsResolver {
  @Query(() => RankedPlayerConnection, {
    description:
      'The ranking of the players by their points: those of a calendar year with `year`, those since a moment with `since`, else those of the last 52 weeks. Highest first.',
  })
  @allow(visitor)
  async rankings(
    @Arg('division', () => Division, { nullable: true, description: 'Points of this division; of all where it is absent.' })
    division: Division | null = null,
    @Arg('year', () => Int, { nullable: true, description: 'The calendar year, in UTC; not together with `since`.' })
    year: number | null = null,
    @Arg('since', () => Instant, { nullable: true, description: 'Events from here on; not together with `year`.' })
    since: string | null = null,
    @Arg('gender', () => Gender, {
      nullable: true,
      description: 'Ranks only women or only men; with the division MIXED_DOUBLES only, else BAD_INPUT.',
    })
    gender: keyof typeof Gender | null = null,
    @Arg('playerId', () => ID, {
      nullable: true,
      description: 'Only the place of this player, which is the one that they have among all; nobody where they have none.',
    })
    playerId: string | null = null,
    @Args(() => PartArguments) part: PartArguments,
    @Ctx() { sql }: Context,
  ): Promise<Connection> {
    const args = [division, year, since, gender, playerId];
    const [{ size, offset, isBackward }, after, until, window] = allOf(
      () => checkPart(part),
      () => (part.after ? positionOf(args, 'after', part.after) + 1 : 0),
      () => (part.before ? positionOf(args, 'before', part.before) : null),
      () => windowOf(year, since, timeFor(sql)),
      () => !gender || division === 'MIXED_DOUBLES' || reject('gender', 'no value, unless the division is that of mixed doubles'),
    );
    const scope = { ...window, division, gender, ...(playerId === null ? {} : { players: [playerId] }) };
    const { rows, start, total } = await rankPlayers(sql, scope, { size, from: offset + after, until, isBackward });
    return {
      page: {
        rows,
        hasNextPage: start + rows.length < total,
        hasPreviousPage: start > 0,
        cursor: ({ playerId }) => cursorAt(args, start + rows.findIndex((player) => player.playerId === playerId)),
      },
      total: async () => total,
    };
  }

  @Query(() => RankingStats, { description: 'How much the rankings are made of, and when it last changed.' })
  @allow(visitor)
  async rankingStats(@Ctx() { sql }: Context) {
    return sql.first(
      sql.db
        .selectFrom('ranking_points')
        .select(({ fn }) => [
          fn.max('updated_at').as('updatedAt'),
          fn.count<number>('player_id').distinct().as('players'),
          fn.count<number>('event_id').distinct().as('events'),
        ]),
    );
  }

  @FieldResolver(() => User, { nullable: true, description: 'The player; null where no user has that id.' })
  player(@Root() { playerId }: RankedPlayer, @Ctx() { loaders }: Context, @Info() info: GraphQLResolveInfo) {
    return loaders.one(User, columnsWanted(User, info), playerId);
  }

  @FieldResolver(() => connectionOf(RankingPoints), {
    nullable: true,
    description: 'The points that count, with their tournaments and events, most first.',
  })
  results(
    @Root() { countedIds }: RankedPlayer,
    @Args(() => listArgumentsOf(RankingPoints)) args: ListArgs,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection> {
    return connectNamed(RankingPoints, 'RankedPlayer.results', countedIds, args, context, info);
  }

  @FieldResolver(() => connectionOf(RankingPoints), {
    nullable: true,
    description:
      'The points that do not count: they are ignored, or others of the player that count cancel their tournament out. Most first.',
  })
  droppedResults(
    @Root() { droppedIds }: RankedPlayer,
    @Args(() => listArgumentsOf(RankingPoints)) args: ListArgs,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection> {
    return connectNamed(RankingPoints, 'RankedPlayer.droppedResults', droppedIds, args, context, info);
  }
}
