import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';
import { seedAustin } from './seed.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ PUBLIC_URL: 'https://play.example/' });
  await seedAustin(app);
});
afterAll(() => app.close());

/** Returns the IDs of the rows in the CSV file at a URL. */
async function idsAt(url: string): Promise<string[]> {
  const { origin, pathname, search } = new URL(url);
  const response = await fetch(`${app.origin}${pathname}${search}${search ? '&' : '?'}fields=id`, {
    headers: { 'PB-API-TOKEN': app.platform.platform },
  });
  const [header, ...ids] = (await response.text()).trim().split('\r\n');
  expect({ origin, status: response.status, header }).toEqual({
    origin: 'https://play.example',
    status: 200,
    header: 'id',
  });
  return ids;
}

const variables = {
  filter: {
    or: [{ seed: { eq: 1 } }, { createdAt: { gte: '2020-01-01T00:00:00Z' }, tournament: { title: { in: ['Austin Open'] } } }],
  },
  orderBy: [{ field: 'ID', direction: 'DESC' }],
};

test('csvUrl of a root list is the complete list with its filter and order', async () => {
  const { teams } = await app.graphql(
    'query ($filter: TeamFilter, $orderBy: [TeamOrder!]) { teams(first: 1, filter: $filter, orderBy: $orderBy) { csvUrl nodes { id } } }',
    variables,
  );
  expect({ nodes: teams.nodes, csvIds: await idsAt(teams.csvUrl) }).toEqual({
    nodes: [{ id: 'first' }],
    csvIds: ['first', 'alone', 'again'],
  });
});

test('csvUrl of a record’s list is the root list, filtered by that record', async () => {
  const { tournament, user } = await app.graphql(
    `query ($filter: TeamFilter, $user: ID!) {
      tournament(id: "austin") { teams(filter: $filter) { csvUrl } events(filter: { id: { eq: "mixed" } }) { nodes { teams { csvUrl } } } }
      user(id: $user) { games { csvUrl } }
    }`,
    { filter: { seed: { isNull: true } }, user: 'person-1' },
  );
  expect({
    teams: (await idsAt(tournament.teams.csvUrl)).sort(),
    teamsOfEvent: await idsAt(tournament.events.nodes[0].teams.csvUrl),
    games: await idsAt(user.games.csvUrl),
    gamesFilter: new URL(user.games.csvUrl).searchParams.get('filter'),
  }).toEqual({
    teams: ['again', 'alone'],
    teamsOfEvent: ['first'],
    games: [],
    gamesFilter: '{"playerIds":{"has":"person-1"}}',
  });
});

test('csvUrl of a list that no root filter can select is null', async () => {
  const { tournament } = await app.graphql('{ tournament(id: "austin") { players { csvUrl } } }');
  expect(tournament.players.csvUrl).toBe(null);
});

test('csvUrl of a root list without arguments has no parameters', async () => {
  const { teams } = await app.graphql('{ teams { csvUrl } }');
  expect(teams.csvUrl).toBe('https://play.example/exports/teams.csv');
});

test('todsUrl and calendarUrl of a tournament exist', async () => {
  const { tournament } = await app.graphql('{ tournament(id: "austin") { todsUrl calendarUrl } }');
  const statusOf = async (url: string) => {
    const headers = { 'PB-API-TOKEN': app.platform.platform };
    return (await fetch(url.replace('https://play.example', app.origin), { headers })).status;
  };
  expect(tournament).toEqual({
    todsUrl: 'https://play.example/tournaments/austin.tods.json',
    calendarUrl: 'https://play.example/tournaments/austin.ics',
  });
  expect({ tods: await statusOf(tournament.todsUrl), calendar: await statusOf(tournament.calendarUrl) }).toEqual({
    tods: 200,
    calendar: 200,
  });
});
