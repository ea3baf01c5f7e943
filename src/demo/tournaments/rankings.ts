import { divisionOf } from '../../modules/rankings/division.js';
import { RankingPoints } from '../../modules/rankings/ranking-points.js';
import { type DemoContext, type DemoTeam, type DemoUser, isTournamentFinished } from '../context.js';

/** Last round and points of a team with a final ranking of at most `upTo`. */
const rounds = [
  { upTo: 1, round: 5, title: 'Final', points: 1000 },
  { upTo: 2, round: 5, title: 'Final', points: 800 },
  { upTo: 4, round: 4, title: 'Semifinal', points: 500 },
  { upTo: Number.POSITIVE_INFINITY, round: 3, title: 'Quarterfinal', points: 250 },
];

/** Factors by which points are multiplied, keyed by the title of the tier level. */
const factors: Record<string, number> = {
  Slam: 2,
  Masters: 1.5,
  Cup: 1.25,
  Open: 1,
  Challenger: 0.6,
  Regional: 0.4,
  Local: 0.25,
};

/**
 * Inserts the points of all players in finished events. The points from a tournament cancel out the points that the player earned in the
 * previous tournament of the same club and format.
 */
export async function insertRankings({ faker, insert, sql, teams, now }: DemoContext): Promise<void> {
  const rows = await sql.run(sql.db.selectFrom('tier_level').select(['id', 'title']));
  const tiers = new Map(rows.map(({ id, title }) => [id, title]));
  const editions = new Map<string, string>();
  const pastTeams = teams.filter(isTournamentFinished).toSorted((a, b) => a.event.tournament.endsIn - b.event.tournament.endsIn);

  const drafts = pastTeams.flatMap((team) => team.players.map((player) => createDraft(team, player)));
  function createDraft({ event, ranking }: DemoTeam, player: DemoUser) {
    const { tournament } = event;
    const tier = tiers.get(tournament.tierLevelId ?? '') ?? 'Local';
    const lastRound = rounds.find(({ upTo }) => ranking <= upTo);
    const edition = `${player.id} ${tournament.clubId} ${event.formatId}`;
    const earlierEdition = editions.get(edition);
    editions.set(edition, tournament.id);
    return {
      id: faker.string.uuid(),
      playerId: player.id,
      playerName: `${player.firstName} ${player.lastName}`,
      tournamentId: tournament.id,
      tournamentTitle: tournament.title,
      eventId: event.id,
      eventTitle: event.title,
      division: divisionOf(event.title),
      playedAt: tournament.endsAt,
      bracketLevelId: event.bracketLevelId,
      points: Math.round((lastRound?.points ?? 0) * (factors[tier] ?? 1)),
      lastMatchRound: lastRound?.round,
      lastMatchRoundTitle: lastRound?.title,
      lastMatchCompletedAt: tournament.endsAt,
      lastMatchId: faker.string.uuid(),
      tierLevel: tier,
      cancelsOutTournamentId: earlierEdition === tournament.id ? undefined : earlierEdition,
      isIgnored: faker.number.int(40) === 0,
      updatedAt: now.toISOString(),
    };
  }
  await insert(RankingPoints, drafts);
}
