import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Field, FieldResolver, ID, Info, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { reject } from '../../kernel/declare/errors.js';
import { alwaysTrue, expression, mainRow, tableNamed } from '../../kernel/declare/expression.js';
import { allow, visitor } from '../../kernel/declare/policy/policy.js';
import { runChecks } from '../../kernel/declare/problems.js';
import { readsColumns } from '../../kernel/declare/record.js';
import { Instant } from '../../kernel/declare/scalars/scalars.js';
import { visibleRows } from '../../kernel/read/conditions/visible.js';
import type { ListArgs } from '../../kernel/read/list.js';
import { parsePageArgs } from '../../kernel/read/paging/page-args.js';
import { selectedColumns } from '../../kernel/read/select.js';
import { currentTimeFor } from '../../kernel/response-sources.js';
import { ListArguments, PageArguments } from '../../kernel/serve/arguments.js';
import { type ConnectionSource, connectionOf, connectionOfIds } from '../../kernel/serve/connection.js';
import { readingSql } from '../../kernel/statement.js';
import { Gender, User } from '../accounts/users/user.js';
import { Division } from './division.js';
import { rankPlayers } from './rank-players-sql.js';
import { RankedPlayer, RankedPlayerConnection } from './ranked-player.js';
import { cursorAt, positionOf } from './ranking-cursor.js';
import { RankingPoints } from './ranking-points.js';
import { windowOf } from './ranking-window.js';

@ObjectType({ description: 'Statistics of the ranking points.' })
export class RankingStats {
  @Field(() => Instant, { nullable: true, description: 'When points were last updated. Null if there are no points.' })
  updatedAt!: string | null;

  @Field(() => Int, { description: 'Number of players with points.' })
  players!: number;

  @Field(() => Int, { description: 'Number of events with points.' })
  events!: number;
}

/** Rankings of players by their points (section 4.11, decision 25). */
@Resolver(() => RankedPlayer)
export class RankingsResolver {
  @Query(() => RankedPlayerConnection, {
    description:
      'Players ranked by the sum of their points, highest first. Includes the points of a calendar year (`year`), or the points since an instant (`since`). Default: the points of the last 52 weeks. Points in tournaments that hide their players (`hidesPlayers`, `playerListVisibility`) are visible only to platforms, admins, referees, and the player. With `since`, hidden points do not count. Other rankings have the same sums and ranks for all callers, but omit players if all their points that count are hidden.',
  })
  @allow(visitor)
  async rankings(
    @Arg('division', () => Division, {
      nullable: true,
      description: 'Division whose points are included. Default: all divisions.',
    })
    division: Division | null = null,
    @Arg('year', () => Int, { nullable: true, description: 'Calendar year, in UTC. Cannot be combined with `since`.' })
    year: number | null = null,
    @Arg('since', () => Instant, {
      nullable: true,
      description: 'Start of the period, inclusive. Cannot be combined with `year`.',
    })
    since: string | null = null,
    @Arg('gender', () => Gender, {
      nullable: true,
      description: 'Ranks only women or only men. BAD_INPUT unless the division is MIXED_DOUBLES.',
    })
    gender: keyof typeof Gender | null = null,
    @Arg('playerId', () => ID, {
      nullable: true,
      description:
        'ID of a player. If set, the list contains only this player, with the rank among all players. The list is empty if the player is not ranked.',
    })
    playerId: string | null = null,
    @Args(() => PageArguments) part: PageArguments,
    @Ctx() { sql }: Context,
  ): Promise<ConnectionSource> {
    const args = [division, year, since, gender, playerId];
    const [{ size, offset, isBackward }, after, until, window] = runChecks(
      () => parsePageArgs(part),
      () => (part.after ? positionOf(args, 'after', part.after) + 1 : 0),
      () => (part.before ? positionOf(args, 'before', part.before) : null),
      () => windowOf(year, since, currentTimeFor(sql)),
      () => !gender || division === 'MIXED_DOUBLES' || reject('gender', 'no value, because the division is not MIXED_DOUBLES'),
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

  @Query(() => RankingStats, {
    description: 'Statistics of the ranking points that the caller can see, including the time of their last change.',
  })
  @allow(visitor)
  rankingStats(@Ctx() { sql }: Context) {
    const visibleCondition = visibleRows(RankingPoints, sql.caller, mainRow) ?? alwaysTrue;
    return sql.row(
      ...readingSql(
        expression`select max(${mainRow.column('updated_at')}) as "updatedAt", count(distinct r.player_id)::int as players, count(distinct r.event_id)::int as events
       from ${tableNamed('ranking_points')} r where ${visibleCondition}`,
      ),
    );
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: 'User account of the player. Null if no user has this ID.',
  })
  player(@Root() { playerId }: RankedPlayer, @Ctx() { loaders }: Context, @Info() info: GraphQLResolveInfo) {
    return loaders.loadRow(User, selectedColumns(User, info), playerId);
  }

  @FieldResolver(() => connectionOf(RankingPoints), {
    nullable: true,
    description: 'Points that count, highest first.',
  })
  results(
    @Root() { countedIds }: RankedPlayer,
    @ListArguments(RankingPoints) args: ListArgs,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ConnectionSource> {
    return connectionOfIds(RankingPoints, 'RankedPlayer.results', countedIds, args, context, info);
  }

  @FieldResolver(() => connectionOf(RankingPoints), {
    nullable: true,
    description:
      'Points that do not count, highest first. They are excluded from the rankings, or other points of the player cancel out the points of their tournament.',
  })
  droppedResults(
    @Root() { droppedIds }: RankedPlayer,
    @ListArguments(RankingPoints) args: ListArgs,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ConnectionSource> {
    return connectionOfIds(RankingPoints, 'RankedPlayer.droppedResults', droppedIds, args, context, info);
  }
}

/** Computed fields of ranking points. */
@Resolver(() => RankingPoints)
export class RankingPointsResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Display name of the player: `playerName`, or else the full name of the user.',
  })
  @readsColumns('playerId', 'playerName')
  async shownName(
    @Root() { playerId, playerName }: Pick<RankingPoints, 'playerId' | 'playerName'>,
    @Ctx() { loaders }: Context,
  ): Promise<string | null> {
    if (playerName) return playerName;
    const player = playerId ? await loaders.loadRow(User, nameColumns, playerId) : null;
    return [player?.firstName, player?.lastName].filter(Boolean).join(' ') || null;
  }
}

const nameColumns = ['id', 'firstName', 'lastName'];
