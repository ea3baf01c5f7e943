import { type DemoContext, type DemoTeam, type DemoUser, fixedOrRandomId } from '../context.js';
import { continents } from '../places.js';
import { disciplines, type EventDraft, levelOf } from './events.js';

const teamCount = 8000;

const continentOf = ({ country }: { country: object }): number =>
  continents.findIndex((cities) => cities.some((city) => city.country === country));

function teamCountOf({ event: { tournament } }: EventDraft): number {
  if (tournament.isCanceled || tournament.startsIn > 125) return 0;
  if (tournament.endsIn < 0) return 4;
  if (tournament.startsIn < 0) return 8;
  return tournament.startsIn < 30 ? 5 : 3;
}

/** Groups players by continent, gender and level. */
function poolsOf(players: readonly DemoUser[]): Map<string, DemoUser[]> {
  return Map.groupBy(players, (player) => `${continentOf(player.homeCity)} ${player.gender} ${levelOf(player)}`);
}

/**
 * Reserves the start day of the event's tournament for the demo user. Returns false if the event does not match the user's gender, level or
 * state, or if another tournament of the user starts within six days.
 */
function reserveForDemoUser(
  user: DemoUser,
  { discipline, level, event: { tournament } }: EventDraft,
  bookedDays: number[],
): boolean {
  const isEligible = disciplines[discipline].genders[0] === user.gender && levelOf(user) === level;
  const isFree = bookedDays.every((day) => Math.abs(day - tournament.startsIn) > 6);
  if (!isEligible || !isFree || tournament.homeCity.state !== user.homeCity.state) return false;
  bookedDays.push(tournament.startsIn);
  return true;
}

/** Returns the players of each team in an event. */
function createRosters(
  { faker, user }: DemoContext,
  draw: EventDraft,
  pools: Map<string, DemoUser[]>,
  count: number,
  bookedDays: number[],
): DemoUser[][] {
  const { discipline, level, event } = draw;
  const continent = continentOf(event.tournament.homeCity);
  const [first, second] = disciplines[discipline].genders;
  const pool = (gender: string) => pools.get(`${continent} ${gender} ${level}`) ?? [];
  const isMixed = second !== undefined && second !== first;
  const firsts = faker.helpers.arrayElements(pool(first), count * (second === first ? 2 : 1));
  if (count > 0 && reserveForDemoUser(user, draw, bookedDays)) firsts[0] = user;
  if (!second) return firsts.map((player) => [player]);
  const seconds = isMixed ? faker.helpers.arrayElements(pool(second), count) : firsts.slice(count);
  return firsts.slice(0, count).flatMap((player, index) => (seconds[index] ? [[player, seconds[index]]] : []));
}

const round = (value: number) => Math.round(value * 1000) / 1000;

/** Creates the teams of an event, the strongest first. */
function teamsOf({ faker, platform }: DemoContext, { event }: EventDraft, rosters: DemoUser[][]): DemoTeam[] {
  const strength = (players: readonly DemoUser[]) => round(players.reduce((sum, { rating }) => sum + rating, 0) / players.length);
  const rostersByStrength = rosters.toSorted((a, b) => strength(b) - strength(a));
  const ranks = faker.helpers.shuffle(rostersByStrength.map((_, index) => index + 1));
  return rostersByStrength.map((players, index) => {
    const [one, two] = players;
    return {
      id: fixedOrRandomId('demo-team', event.id === 'demo-event' ? index : -1, faker.string.uuid()),
      playerOneId: one?.id ?? '',
      playerTwoId: two?.id ?? null,
      ranking: ranks[index] ?? 0,
      rating: strength(players),
      seed: index + 1,
      playerOneRank: faker.number.int({ min: 1, max: 500 }),
      playerOneRating: one?.rating ?? null,
      playerTwoRank: two ? faker.number.int({ min: 1, max: 500 }) : null,
      playerTwoRating: two?.rating ?? null,
      eventId: event.id,
      tournamentId: event.tournamentId,
      ratingGamesPlayed: String(faker.number.int({ min: 3, max: 180 })),
      platformId: platform.id,
      event,
      players,
    };
  });
}

/** Adds 8,000 teams to the context. A later step inserts them, after their registrations. */
export function createTeams(context: DemoContext, draws: readonly EventDraft[]): void {
  const pools = poolsOf(context.players.filter((player) => player !== context.user));
  // The demo user is not registered for the first tournament, because one of the examples registers the user for it.
  const bookedDays = context.tournaments.slice(0, 1).map(({ startsIn }) => startsIn);
  const counts = draws.map(teamCountOf);
  const pastDraws = draws.flatMap(({ event: { tournament } }, index) => (tournament.startsIn < 0 ? [index] : []));
  for (let missingTeams = teamCount - counts.reduce((sum, count) => sum + count, 0); missingTeams > 0; missingTeams--) {
    const index = pastDraws[missingTeams % pastDraws.length] ?? 0;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  for (const [index, draw] of draws.entries()) {
    context.teams.push(...teamsOf(context, draw, createRosters(context, draw, pools, counts[index] ?? 0, bookedDays)));
  }
}
