import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { needs } from '../../kernel/declare/record.js';
import { Instant } from '../../kernel/declare/scalars.js';
import { timeFor } from '../../kernel/reads.js';
import { User } from '../accounts/user.js';
import { Division } from './division.js';
import { rankPlayers } from './rank-players-sql.js';
import { RankedPlayer } from './ranked-player.js';
import { windowOf } from './ranking-window.js';

const all: readonly Division[] = Object.values(Division);

/** The places of players in the ranking of all divisions and in those of some: one statement each, however many players there are. */
async function placesOf(
  { sql }: Context,
  players: readonly string[],
  divisions: readonly (Division | null)[],
  year: number | null,
  since: string | null,
): Promise<RankedPlayer[][]> {
  const window = windowOf(year, since, timeFor(sql));
  const pages = await Promise.all(
    divisions.map((division) =>
      rankPlayers(
        sql,
        { ...window, division, gender: null, players },
        { size: players.length, from: 0, until: null, isBackward: false },
      ),
    ),
  );
  const places = Map.groupBy(
    pages.flatMap(({ rows }) => rows),
    ({ playerId }) => playerId,
  );
  return players.map((player) => places.get(player) ?? []);
}

/** Where a person stands in the rankings. */
@Resolver(() => User)
export class PlayerRankings {
  @needs('id')
  @FieldResolver(() => [RankedPlayer], {
    nullable: true,
    description:
      'The places of the person in the rankings: in that of all divisions first, whose `division` is null, then in those of the divisions in which they have points. Points of a calendar year with `year`, those since a moment with `since`, else those of the last 52 weeks.',
  })
  rankings(
    @Root() { id }: Pick<User, 'id'>,
    @Arg('divisions', () => [Division], {
      nullable: true,
      description: 'Only the rankings of these divisions, without that of all.',
    })
    divisions: Division[] | null,
    @Arg('year', () => Int, { nullable: true, description: 'The calendar year, in UTC; not together with `since`.' })
    year: number | null,
    @Arg('since', () => Instant, { nullable: true, description: 'Events from here on; not together with `year`.' })
    since: string | null,
    @Ctx() context: Context,
  ): Promise<RankedPlayer[]> {
    const asked = divisions ? all.filter((division) => divisions.includes(division)) : [null, ...all];
    const read = (players: string[]) => placesOf(context, players, asked, year ?? null, since ?? null);
    return context.loaders.batch('rankings of players', read, `${asked.join()} ${year ?? ''} ${since ?? ''}`)(id);
  }
}
