import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modules } from '../../../src/modules/index.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { routerHeaders, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ ROUTER_SECRET: routerHeaders['router-secret'], SUBGRAPHS: 'all' });
});
afterAll(() => app.close());

async function getEntities(module: string, query: string, representations: unknown[], tokens: Record<string, string>) {
  const response = await fetch(`${app.origin}/subgraphs/${module}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...routerHeaders, ...tokens },
    body: JSON.stringify({
      query: `query ($representations: [_Any!]!) { _entities(representations: $representations) { ${query} } }`,
      variables: { representations },
    }),
  });
  const { data, errors = [] } = await response.json();
  return {
    entities: data?._entities,
    errors: errors.map(
      ({ message, extensions }: { message: string; extensions: { code: string } }) => `${extensions.code}: ${message}`,
    ),
  };
}

test('records have public human-readable fields as additional keys, and no private ones', () => {
  const keys = modules.flatMap(({ name }) =>
    [...readFileSync(`schema/${name}.graphql`, 'utf8').matchAll(/^type (\w+) (.*) {$/gm)].flatMap(([, type, directives = '']) =>
      [...directives.matchAll(/@key\(fields: "(?!id")(\w+)"\)/g)].map(([, key]) => `${type}.${key}`),
    ),
  );
  expect(keys.sort()).toEqual([
    'Club.slug',
    'League.slug',
    'LeagueListing.slug',
    'NewsItem.slug',
    'Platform.title',
    'State.code',
    'Tournament.code',
    'User.slug',
  ]);
});

test('representations with an additional key resolve in one statement for each type', async () => {
  const { a, b } = await app.graphql(`mutation {
    a: createTournament(input: { title: "Austin Open" }) { id code }
    b: createTournament(input: { title: "Boston Open" }) { id code } }`);
  const statementsBefore = app.statements();
  const result = await getEntities(
    'tournaments',
    '... on Tournament { id title }',
    [
      { __typename: 'Tournament', code: b.code },
      { __typename: 'Tournament', code: a.code.toLowerCase() },
      { __typename: 'Tournament', code: 'NONE' },
      { __typename: 'Tournament', code: 7 },
      { __typename: 'Tournament', refereeCode: 'ABCDEF' },
    ],
    { 'pb-api-token': app.platform.platform },
  );
  expect(result).toEqual({
    entities: [{ id: b.id, title: 'Boston Open' }, { id: a.id, title: 'Austin Open' }, null, null, null],
    errors: [
      'BAD_INPUT: representations[3].code: expected a string of 1 to 1000 characters',
      'BAD_INPUT: representations[4].id: expected an id of 1 to 255 characters',
    ],
  });
  expect(app.statements() - statementsBefore).toBeLessThanOrEqual(2);
});

test('an additional key finds a record only for callers who may read it', async () => {
  await app.graphql(`mutation { createNewsItem(input: {
    id: "draft", slug: "not-out-yet", title: "Not out yet", siteSchedule: { from: "2099-01-01T00:00:00Z" } }) { id } }`);
  const { key } = await newKey(app);
  const getAs = (tokens: Record<string, string>) =>
    getEntities('news', '... on NewsItem { id }', [{ __typename: 'NewsItem', slug: 'not-out-yet' }], tokens);
  expect({
    platform: await getAs({ 'pb-api-token': app.platform.platform }),
    publishableKey: await getAs({ 'pb-api-token': key }),
    nobody: await getAs({}),
  }).toEqual({
    platform: { entities: [{ id: 'draft' }], errors: [] },
    publishableKey: { entities: [null], errors: [] },
    nobody: { entities: [null], errors: [expect.stringMatching(/^UNAUTHENTICATED/)] },
  });
});

test('an additional key finds reference data that is cached in memory', async () => {
  const representations = [{ __typename: 'State', code: 'US-TX' }];
  expect(await getEntities('reference', '... on State { title }', representations, {})).toEqual({
    entities: [{ title: 'Texas' }],
    errors: [],
  });
});
