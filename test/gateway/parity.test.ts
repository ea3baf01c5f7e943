import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../../src/gateway/examples/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Federation, startFederation } from '../support/federation.js';
import { expectGolden, goldenNames, type Host, readGolden } from '../support/golden.js';
import { newKey } from '../support/keys.js';
import { nested } from './nested-operations.js';

const directory = join(import.meta.dirname, '../compat/golden');
let app: TestApp;
let federation: Federation;
let host: Host;
beforeAll(async () => {
  app = await startApp();
  federation = await startFederation(app);
  const [user, admin] = [await app.person(), await app.person({ isSuperAdmin: true })];
  host = {
    url: federation.legacy,
    tokens: { ...app.platform, user: user.user, admin: admin.user },
    ids: { user: user.id, admin: admin.id },
  };
}, 120_000);
afterAll(async () => {
  await federation.stop();
  await app.close();
});

/** What a client sees of an answer: data, and of the errors their code, message and place. */
async function ask(url: string, query: string, variables: object, tokens: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...tokens },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors = [] } = await response.json();
  return {
    data: data ?? null,
    errors: errors.map(({ message, path, extensions }: { message: string; path?: unknown; extensions: { code: string } }) => [
      extensions.code,
      message,
      path,
    ]),
  };
}

const played = goldenNames(directory).filter((name) => !readGolden(directory, name).alone);

test.for(played)('%s, over the gateway', async (name) => {
  await expectGolden(directory, name, host, () => undefined);
});

test.for([...examples, ...nested])('$title', async ({ query, variables = {}, as }) => {
  const tokens = as ? { 'pb-user-token': host.tokens[as] ?? '' } : { 'pb-api-token': app.platform.platform };
  expect(await ask(federation.graphql, query, variables, tokens)).toEqual(
    await ask(`${app.origin}/graphql`, query, variables, tokens),
  );
});

test.for([
  ['no token', {}],
  ['a garbage token', { 'pb-api-token': 'garbage' }],
] as const)('%s is refused alike', async ([, tokens]) => {
  const query = '{ tournaments { nodes { id } } }';
  expect(await ask(federation.graphql, query, {}, tokens)).toEqual(await ask(`${app.origin}/graphql`, query, {}, tokens));
});

test('a publishable key opens and refuses alike, as a header and as a bearer', async () => {
  const { key } = await newKey(app, ['https://play.example']);
  const { user } = await app.person();
  const headers = [
    { 'pb-api-token': key },
    { authorization: `Bearer ${key}` },
    { 'pb-api-token': key, authorization: `Bearer ${user}` },
  ];
  const queries = [
    '{ tournaments(first: 1) { nodes { title referees { nodes { user { firstName email } } } } } }',
    '{ viewer { id } discountCodes { totalCount } }',
    'mutation { login(input: { email: "nobody@example.com", password: "wrong" }) { token } }',
  ];
  for (const tokens of headers)
    for (const query of queries)
      expect(await ask(federation.graphql, query, {}, tokens)).toEqual(await ask(`${app.origin}/graphql`, query, {}, tokens));
});

test('a page of a foreign origin gets nothing over the gateway, either', async () => {
  const { key } = await newKey(app, ['https://play.example']);
  const query = '{ tournaments { totalCount } }';
  const from = (origin: string) => ask(federation.graphql, query, {}, { 'pb-api-token': key, origin });
  const [home, foreign] = [await from('https://play.example'), await from('https://evil.example')];
  expect([home, foreign.data, foreign.errors[0]?.[0]]).toEqual([
    { data: { tournaments: { totalCount: expect.any(Number) } }, errors: [] },
    { tournaments: null },
    'FORBIDDEN',
  ]);
});
