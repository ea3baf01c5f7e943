import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { liveCounts } from '../../src/gateway/live/counts.js';
import { startApp, type TestApp } from '../support/app.js';
import { subscribe } from '../support/live.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.graphql('mutation { upsertTournament(input: { id: "cup", title: "Cup" }) { id } }');
});
afterAll(() => app.close());

const save = (id: string, title: string) =>
  app.graphql('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', { input: { id, title } });

test('a change of a tournament is told as it is now, with what changed and a cursor', async () => {
  const stream = await subscribe(
    app,
    app.platform,
    'subscription { tournament(id: "cup") { kind id changedFields cursor tournament { title } } }',
  );
  await save('cup', 'Open');
  // An event shows the record as it is when it is told.
  await stream.until(1);
  await save('another', 'Other');
  await save('cup', 'Masters');
  const heard = await stream.until(2);
  expect(heard.map(({ data }) => data?.tournament)).toEqual(
    ['Open', 'Masters'].map((title) => ({
      kind: 'CHANGED',
      id: 'cup',
      changedFields: ['title'],
      cursor: expect.any(String),
      tournament: { title },
    })),
  );
  stream.close();
});

test('who takes no events is told that there is nothing else', async () => {
  const response = await fetch(`${app.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'PB-API-TOKEN': app.platform.platform ?? '' },
    body: JSON.stringify({ query: 'subscription { tournament(id: "cup") { kind } }' }),
  });
  expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([
    406,
    expect.stringContaining('application/json'),
    {
      errors: [{ message: expect.stringContaining('text/event-stream'), extensions: { code: 'BAD_INPUT' } }],
    },
  ]);
  await vi.waitFor(() => expect(liveCounts.open.sse).toBe(0));
});

test.each([
  ['beside it', '{ liveCursor tournament(id: "cup") { title } }'],
  ['beside a fragment of it', '{ tournament(id: "cup") { title } ... on Query { place: liveCursor } }'],
  ['beside fragments of fragments', 'query { tournament(id: "cup") { title } ...A } fragment A on Query { ... { liveCursor } }'],
])('what is read %s has all that stands before liveCursor, also what was written meanwhile', async (where, query) => {
  const { changes } = app.resources.services;
  const here = changes.here.bind(changes);
  changes.here = async () => {
    await save('cup', `Meanwhile ${where}`);
    return here();
  };
  const read = await app.graphql(query);
  changes.here = here;
  expect(read.tournament.title).toBe(`Meanwhile ${where}`);
});
