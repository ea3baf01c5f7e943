import { Pregame } from '../../modules/officiating/pregame.js';
import { Prematch } from '../../modules/officiating/prematch.js';
import { type DemoContext, fixedOrRandomId, isTournamentFinished } from '../context.js';
import { insertMatch } from './match.js';

/** Inserts prematch and pregame records of finished events, and the demo match, which is played while clients subscribe to it. */
export async function insertOfficiating({ sql, faker, insert, teams, now }: DemoContext): Promise<void> {
  const pastTeams = teams.filter(isTournamentFinished);
  const matches = pastTeams.slice(1).flatMap((team, index) => {
    const opponent = pastTeams[index];
    return opponent && opponent.event.id === team.event.id && isSelected(index)
      ? [{ id: faker.string.uuid(), team, opponent }]
      : [];
  });
  const instantAfter = (startsAt: string, minutes: number) =>
    new Date(Math.min(Date.parse(startsAt) + minutes * 60_000, now.getTime())).toISOString();
  await insert(
    Prematch,
    matches.map(({ id, team, opponent }, index) => ({
      id: fixedOrRandomId('demo-prematch', index, faker.string.uuid()),
      matchId: id,
      court: `Court ${1 + (index % 8)}`,
      setupStartedAt: instantAfter(team.event.startsAt, 0),
      playersOnCourtAt: instantAfter(team.event.startsAt, 3),
      warmupStartedAt: instantAfter(team.event.startsAt, 4),
      coinTossedAt: instantAfter(team.event.startsAt, 8),
      coinTossTeamId: faker.helpers.arrayElement([team.id, opponent.id]),
      scoringStartedAt: instantAfter(team.event.startsAt, 10),
      teamOnePlayerOneNote: faker.helpers.arrayElement([null, 'Asked about the scoring rules', 'Arrived late']),
      createdAt: instantAfter(team.event.startsAt, 0),
    })),
  );
  await insert(
    Pregame,
    matches.flatMap(({ id, team, opponent }, index) =>
      [1, 2].map((gameNumber) => {
        const [serving, receiving] = gameNumber === 1 ? [team, opponent] : [opponent, team];
        return {
          id: fixedOrRandomId('demo-pregame', index + gameNumber - 1, faker.string.uuid()),
          matchId: id,
          gameNumber,
          servingTeamId: serving.id,
          receivingTeamId: receiving.id,
          leftTeamId: team.id,
          rightTeamId: opponent.id,
          teamOneFirstServerId: team.players[0]?.id ?? null,
          teamTwoFirstServerId: opponent.players[0]?.id ?? null,
          createdAt: instantAfter(team.event.startsAt, 10 + gameNumber),
        };
      }),
    ),
  );
  await insertMatch(sql);
}

/** Whether a pair of teams plays a match. Every tenth pair plays, which results in a few hundred matches. */
const isSelected = (index: number) => index % 10 === 0;
