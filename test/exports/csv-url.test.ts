import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { seedAustin } from './seed.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ PUBLIC_URL: 'https://play.example/' });
  await seedAustin(app);
});
afterAll(() => app.close());

/** The rows behind an address, as its CSV has them. */
async function rowsBehind(url: string): Promise<string[]> {
  const { origin, pathname, search } = new URL(url);
  const response = await fetch(`${app.origin}${pathname}${search}${search ? '&' : '?'}fields=id`, {
    headers: { 'PB-API-TOKEN': app.platform.platform },
  });
  const [name, ...rows] = (await response.text()).trim().split('\r\n');
  expect([origin, response.status, name]).toEqual(['https://play.example', 200, 'id']);
  return rows;
}

const variables = {
  filter: {
    or: [{ seed: { eq: 1 } }, { createdAt: { gte: '2020-01-01T00:00:00Z' }, tournament: { title: { in: ['Austin Open'] } } }],
  },
  orderBy: [{ field: 'ID', direction: 'DESC' }],
};

test('a list of the graph tells where it is as CSV, whole, with its filter and order', async () => {
  const { teams } = await app.graphql(
    'query ($filter: TeamFilter, $orderBy: [TeamOrder!]) { teams(first: 1, filter: $filter, orderBy: $orderBy) { csvUrl nodes { id } } }',
    variables,
  );
  expect([teams.nodes, await rowsBehind(teams.csvUrl)]).toEqual([[{ id: 'first' }], ['first', 'alone', 'again']]);
});

test('so does a list of a record, as the list of the root with a filter', async () => {
  const { tournament, user } = await app.graphql(
    `query ($filter: TeamFilter, $user: ID!) {
      tournament(id: "austin") { teams(filter: $filter) { csvUrl } events(filter: { id: { eq: "mixed" } }) { nodes { teams { csvUrl } } } }
      user(id: $user) { games { csvUrl } }
    }`,
    { filter: { seed: { isNull: true } }, user: 'person-1' },
  );
  expect([
    (await rowsBehind(tournament.teams.csvUrl)).sort(),
    await rowsBehind(tournament.events.nodes[0].teams.csvUrl),
    await rowsBehind(user.games.csvUrl),
    new URL(user.games.csvUrl).searchParams.get('filter'),
  ]).toEqual([['again', 'alone'], ['first'], [], '{"playerIds":{"has":"person-1"}}']);
});

test('a list that no filter of the root has tells no address, and one that the root leaves open has no parameters', async () => {
  const { tournament, teams } = await app.graphql('{ tournament(id: "austin") { players { csvUrl } } teams { csvUrl } }');
  expect([tournament.players.csvUrl, teams.csvUrl]).toEqual([null, 'https://play.example/exports/teams.csv']);
});

test('a tournament tells where it is as TODS JSON and as a calendar', async () => {
  const { tournament } = await app.graphql('{ tournament(id: "austin") { todsUrl calendarUrl } }');
  const statuses = Object.values<string>(tournament).map(async (url) => {
    const headers = { 'PB-API-TOKEN': app.platform.platform };
    return (await fetch(url.replace('https://play.example', app.origin), { headers })).status;
  });
  expect([tournament, await Promise.all(statuses)]).toEqual([
    { todsUrl: 'https://play.example/tournaments/austin.tods.json', calendarUrl: 'https://play.example/tournaments/austin.ics' },
    [200, 200],
  ]);
});
