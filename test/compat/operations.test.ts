import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codecsOf, entriesOf, legacyRouter } from '../../compat/engine/index.js';
import { legacyRecords, legacyRoutes } from '../../compat/index.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { createGraph } from '../../src/graphql/run.js';
import { type Person, startApp, type TestApp } from '../support/servers/app.js';
import { ignoredTokens, rejectedRequests } from './matrix.js';
import { expectRoundTrip, symmetric } from './round-trip.js';

let app: TestApp;
let person: Person;
beforeAll(async () => {
  app = await startApp();
  person = await app.person();
});
afterAll(() => app.close());

const entries = entriesOf(legacyRoutes);

test.for(entries.map(({ method, path }) => `${method} ${path}`))('%s rejects callers without permission', async (operation) => {
  const cases = rejectedRequests(legacyRoutes, { tokens: { ...app.platform, user: person.user } }).filter(
    (each) => each.operation === operation,
  );
  const answers = await Promise.all(
    cases.map(
      async ({ title, method, path, headers }) => `${title}: ${(await fetch(app.origin + path, { method, headers })).status}`,
    ),
  );
  expect(answers).toEqual(cases.map(({ title, status }) => `${title}: ${status}`));
});

test.for(entries.map(({ method, path }) => `${method} ${path}`))('%s ignores empty and unused user tokens', async (operation) => {
  const cases = ignoredTokens(legacyRoutes, { tokens: { ...app.platform, user: person.user } }).filter(
    (each) => each.operation === operation,
  );
  const statusOf = async (path: string, method: string, headers: Record<string, string>) =>
    (await fetch(app.origin + path, { method, headers })).status;
  const answers = await Promise.all(
    cases.map(async ({ title, method, path, headers, userToken }) => ({
      title,
      status: await statusOf(path, method, { ...headers, 'PB-USER-TOKEN': userToken }),
      withoutToken: await statusOf(path, method, headers),
    })),
  );
  expect(answers).toEqual(answers.map(({ title, withoutToken }) => ({ title, status: withoutToken, withoutToken })));
});

test('every legacy table matches the GraphQL schema', () => {
  const identify = () => Promise.reject();
  const graph = createGraph(schema, app.resources, pino({ level: 'silent' }));
  expect(
    legacyRouter({ graph, routes: legacyRoutes, records: legacyRecords, identify, paging: 'offset', log: console }),
  ).toBeTypeOf('function');
});

const schema = graphOfModules();
const codecs = codecsOf(schema, legacyRecords, (problem) => expect.fail(problem));
const tables = legacyRecords.flatMap((record) => symmetric(codecs.get(record), codecs) ?? []);

test.for(tables)('$name is unchanged after decoding and encoding', (record) => expectRoundTrip(record, schema, 30));

test('at most one in ten operations has a custom reply', () => {
  const custom = entries.filter(({ alternatives }) => alternatives.some(({ reply }) => reply.isCustom));
  expect(custom.length).toBeLessThanOrEqual(Math.ceil(entries.length / 10));
});
