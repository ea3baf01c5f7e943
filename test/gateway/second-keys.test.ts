import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modules } from '../../src/modules/index.js';
import { asRouter, startApp, type TestApp } from '../support/app.js';
import { newKey } from '../support/keys.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ ROUTER_SECRET: asRouter['router-secret'], SUBGRAPHS: 'all' });
});
afterAll(() => app.close());

async function ask(module: string, query: string, representations: unknown[], tokens: Record<string, string>) {
  const response = await fetch(`${app.origin}/subgraphs/${module}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...asRouter, ...tokens },
    body: JSON.stringify({
      query: `query ($representations: [_Any!]!) { _entities(representations: $representations) { ${query} } }`,
      variables: { representations },
    }),
  });
  const { data, errors = [] } = await response.json();
  return [
    data?._entities,
    ...errors.map(
      ({ message, extensions }: { message: string; extensions: { code: string } }) => `${extensions.code}: ${message}`,
    ),
  ];
}

test('records are known by the texts that people have for them, and by none that is private', () => {
  const keys = modules.flatMap(({ name }) =>
    [...readFileSync(`schema/${name}.graphql`, 'utf8').matchAll(/^type (\w+) (.*) {$/gm)].flatMap(([, type, told = '']) =>
      [...told.matchAll(/@key\(fields: "(?!id")(\w+)"\)/g)].map(([, key]) => `${type}.${key}`),
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

test('a representation with such a key is the record, those of a type in one statement', async () => {
  const made = await app.graphql(
    'mutation { a: createTournament(input: { title: "Austin Open" }) { id code } b: createTournament(input: { title: "Boston Open" }) { id code } }',
  );
  const { a, b } = made;
  const before = app.statements();
  const found = await ask(
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
  expect(found).toEqual([
    [{ id: b.id, title: 'Boston Open' }, { id: a.id, title: 'Austin Open' }, null, null, null],
    'BAD_INPUT: representations[3].code: expected a text of 1 to 1000 characters',
    'BAD_INPUT: representations[4].id: expected an id of 1 to 255 characters',
  ]);
  expect(app.statements() - before).toBeLessThanOrEqual(2);
});

test('who reads the record finds it so, and nobody else', async () => {
  await app.graphql(
    'mutation { createNewsItem(input: { id: "draft", slug: "not-out-yet", title: "Not out yet", siteSchedule: { from: "2099-01-01T00:00:00Z" } }) { id } }',
  );
  const { key } = await newKey(app);
  const read = (tokens: Record<string, string>) =>
    ask('news', '... on NewsItem { id }', [{ __typename: 'NewsItem', slug: 'not-out-yet' }], tokens);
  expect(await read({ 'pb-api-token': app.platform.platform })).toEqual([[{ id: 'draft' }]]);
  expect(await read({ 'pb-api-token': key })).toEqual([[null]]);
  expect(await read({})).toEqual([[null], expect.stringMatching(/^UNAUTHENTICATED/)]);
});

test('reference data that is kept in memory is found, too', async () => {
  const found = await ask('reference', '... on State { title }', [{ __typename: 'State', code: 'US-TX' }], {});
  expect(found).toEqual([[{ title: 'Texas' }]]);
});
