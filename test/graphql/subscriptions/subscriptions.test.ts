import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriptionCounts } from '../../../src/graphql/subscriptions/connections.js';
import { subscribe } from '../../support/clients/event-stream.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.graphql('mutation { upsertTournament(input: { id: "cup", title: "Cup" }) { id } }');
});
afterAll(() => app.close());

const save = (id: string, title: string) =>
  app.graphql('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', { input: { id, title } });

test('tournament sends the current record with the changed fields and a cursor', async () => {
  const stream = await subscribe(
    app,
    app.platform,
    'subscription { tournament(id: "cup") { kind id changedFields cursor tournament { title } } }',
  );
  await save('cup', 'Open');
  // Waits for the first event, because an event contains the state of the record at the time when the event is sent.
  await stream.until(1);
  await save('another', 'Other');
  await save('cup', 'Masters');
  const events = await stream.until(2);
  expect(events.map(({ data }) => data?.tournament)).toEqual(
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

test('rejects a subscription that does not accept server-sent events with 406', async () => {
  const response = await fetch(`${app.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'PB-API-TOKEN': app.platform.platform ?? '' },
    body: JSON.stringify({ query: 'subscription { tournament(id: "cup") { kind } }' }),
  });
  expect({
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: await response.json(),
  }).toEqual({
    status: 406,
    contentType: expect.stringContaining('application/json'),
    body: {
      errors: [{ message: expect.stringContaining('text/event-stream'), extensions: { code: 'BAD_INPUT' } }],
    },
  });
  await expect.poll(() => subscriptionCounts.open.sse).toBe(0);
});

test.each([
  ['next to it', '{ liveCursor tournament(id: "cup") { title } }'],
  ['next to a fragment with it', '{ tournament(id: "cup") { title } ... on Query { cursor: liveCursor } }'],
  [
    'next to nested fragments with it',
    'query { tournament(id: "cup") { title } ...A } fragment A on Query { ... { liveCursor } }',
  ],
])('liveCursor is not later than the fields %s, even during concurrent writes', async (position, query) => {
  const { changes } = app.resources.services;
  const currentPosition = changes.currentPosition.bind(changes);
  changes.currentPosition = async () => {
    await save('cup', `Meanwhile ${position}`);
    return currentPosition();
  };
  const read = await app.graphql(query);
  changes.currentPosition = currentPosition;
  expect(read.tournament.title).toBe(`Meanwhile ${position}`);
});
