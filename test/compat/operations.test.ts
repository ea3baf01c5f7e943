import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codecsOf, entriesOf, legacyRouter } from '../../compat/engine/index.js';
import { legacyRecords, legacyRoutes } from '../../compat/index.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { createGraph } from '../../src/gateway/run.js';
import { type Person, startApp, type TestApp } from '../support/app.js';
import { refusals } from './matrix.js';
import { expectRoundTrip, symmetric } from './round-trip.js';

let app: TestApp;
let person: Person;
beforeAll(async () => {
  app = await startApp();
  person = await app.person();
});
afterAll(() => app.close());

const entries = entriesOf(legacyRoutes);

test.for(entries.map(({ method, path }) => `${method} ${path}`))('%s refuses whom it must', async (operation) => {
  const cases = refusals(legacyRoutes, { tokens: { ...app.platform, user: person.user } }).filter(
    (each) => each.operation === operation,
  );
  const found = await Promise.all(
    cases.map(
      async ({ title, method, path, headers }) => `${title}: ${(await fetch(app.origin + path, { method, headers })).status}`,
    ),
  );
  expect(found).toEqual(cases.map(({ title, status }) => `${title}: ${status}`));
});

test('every table fits the graph, of which a service says nothing before it is asked', () => {
  const identify = () => Promise.reject();
  const graph = createGraph(schema, app.resources, pino({ level: 'silent' }));
  expect(
    legacyRouter({ graph, routes: legacyRoutes, records: legacyRecords, identify, paging: 'offset', log: console }),
  ).toBeTypeOf('function');
});

const schema = graphOfModules();
const codecs = codecsOf(schema, legacyRecords, (problem) => expect.fail(problem));
const tables = legacyRecords.flatMap((record) => symmetric(codecs.of(record), codecs) ?? []);

test.for(tables)('$name comes back as it was sent', (record) => expectRoundTrip(record, schema, 30));

test('answers written by hand are the exception', () => {
  const byHand = entries.filter(({ alternatives }) => alternatives.some(({ reply }) => reply.custom));
  expect(byHand.length).toBeLessThanOrEqual(Math.ceil(entries.length / 10));
});
