import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Int, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { reject } from '../../kernel/declare/errors.js';
import { allow, visitor } from '../../kernel/declare/policy.js';
import { allOf } from '../../kernel/declare/problems.js';
import { Instant } from '../../kernel/declare/scalars.js';
import { checkPage, defaultFirst, maxFirst } from '../../kernel/read/list.js';
import { columnsWanted } from '../../kernel/read/select.js';
import type { Connection } from '../../kernel/serve/connection.js';
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
      'The ranking of the players by their points: those of a calendar year with `race`, those since a moment with `since`, else those of the last 52 weeks. Highest first.',
  })
  @allow(visitor)
  async rankings(
    @Arg('division', () => Division, { nullable: true, description: 'Points of this division; of all where it is absent.' })
    division: Division | null = null,
    @Arg('race', () => Int, { nullable: true, description: 'The calendar year, in UTC; not together with `since`.' })
    race: number | null = null,
    @Arg('since', () => Instant, { nullable: true, description: 'Events from here on; not together with `race`.' })
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
    @Arg('first', () => Int, { defaultValue: defaultFirst, description: `How many players, 0 to ${maxFirst}.` })
    first: number,
    @Arg('after', () => String, {
      nullable: true,
      description: 'Begins behind this cursor: `pageInfo.endCursor` of the page before, of the same ranking.',
    })
    after: string | null = null,
    @Arg('offset', () => Int, { nullable: true, description: 'How many players to skip, 0 or more.' })
    offset: number | null = null,
    @Ctx() { sql }: Context,
  ): Promise<Connection> {
    const args = [division, race, since, gender, playerId];
    const [page, behind, window] = allOf(
      () => checkPage({ first, offset }),
      () => (after ? positionOf(args, after) + 1 : 0),
      () => windowOf(race, since, new Date()),
      () => !gender || division === 'MIXED_DOUBLES' || reject('gender', 'no value, unless the division is that of mixed doubles'),
    );
    const start = page.offset + behind;
    const scope = { ...window, division, gender, ...(playerId === null ? {} : { players: [playerId] }) };
    const { rows, total } = await rankPlayers(sql, scope, page.first, start);
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

  @FieldResolver(() => [RankingPoints], { description: 'The points that count, with their tournaments and events, most first.' })
  results(@Root() { countedIds }: RankedPlayer, @Ctx() context: Context, @Info() info: GraphQLResolveInfo) {
    return pointsOf(countedIds, context, info);
  }

  @FieldResolver(() => [RankingPoints], {
    description:
      'The points that do not count: they are ignored, or others of the player that count cancel their tournament out.',
  })
  droppedResults(@Root() { droppedIds }: RankedPlayer, @Ctx() context: Context, @Info() info: GraphQLResolveInfo) {
    return pointsOf(droppedIds, context, info);
  }
}

async function pointsOf(ids: readonly string[], { loaders }: Context, info: GraphQLResolveInfo) {
  const columns = columnsWanted(RankingPoints, info);
  const found = await Promise.all(ids.map((id) => loaders.one(RankingPoints, columns, id)));
  return found.filter((row) => row !== null);
}
