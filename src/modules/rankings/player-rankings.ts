import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { readsColumns } from '../../kernel/declare/record.js';
import { Instant } from '../../kernel/declare/scalars/scalars.js';
import { currentTimeFor } from '../../kernel/response-sources.js';
import { User } from '../accounts/users/user.js';
import { Division } from './division.js';
import { rankPlayers } from './rank-players-sql.js';
import { RankedPlayer } from './ranked-player.js';
import { windowOf } from './ranking-window.js';

const allDivisions: readonly Division[] = Object.values(Division);

/** Reads the ranks of players in several rankings, with one statement per ranking. A null division means the ranking of all divisions. */
async function readRanks(
  { sql }: Context,
  players: readonly string[],
  divisions: readonly (Division | null)[],
  year: number | null,
  since: string | null,
): Promise<RankedPlayer[][]> {
  const window = windowOf(year, since, currentTimeFor(sql));
  const pages = await Promise.all(
    divisions.map((division) =>
      rankPlayers(
        sql,
        { ...window, division, gender: null, players },
        { size: players.length, from: 0, until: null, isBackward: false },
      ),
    ),
  );
  const rows = Map.groupBy(
    pages.flatMap((page) => page.rows),
    ({ playerId }) => playerId,
  );
  return players.map((player) => rows.get(player) ?? []);
}

/** Field `User.rankings`. */
@Resolver(() => User)
export class PlayerRankings {
  @readsColumns('id')
  @FieldResolver(() => [RankedPlayer], {
    nullable: true,
    description:
      'Ranks of the user. The first item is the rank in the ranking of all divisions, and its `division` is null. The other items are the ranks in each division in which the user has points. Includes the points of a calendar year (`year`), or the points since an instant (`since`). Default: the points of the last 52 weeks. Points in tournaments that hide their players (`hidesPlayers`, `playerListVisibility`) are visible only to platforms, admins, referees, and the player. With `since`, hidden points do not count. Other rankings have the same sums and ranks for all callers, but omit players if all their points that count are hidden.',
  })
  rankings(
    @Root() { id }: Pick<User, 'id'>,
    @Arg('divisions', () => [Division], {
      nullable: true,
      description: 'Only the rankings of these divisions, without the ranking of all divisions.',
    })
    divisions: Division[] | null,
    @Arg('year', () => Int, { nullable: true, description: 'Calendar year, in UTC. Cannot be combined with `since`.' })
    year: number | null,
    @Arg('since', () => Instant, {
      nullable: true,
      description: 'Start of the period, inclusive. Cannot be combined with `year`.',
    })
    since: string | null,
    @Ctx() context: Context,
  ): Promise<RankedPlayer[]> {
    const selectedDivisions = divisions
      ? allDivisions.filter((division) => divisions.includes(division))
      : [null, ...allDivisions];
    const loadRanks = (players: string[]) => readRanks(context, players, selectedDivisions, year ?? null, since ?? null);
    return context.loaders.batchLoader(
      'rankings of players',
      loadRanks,
      `${selectedDivisions.join()} ${year ?? ''} ${since ?? ''}`,
    )(id);
  }
}
