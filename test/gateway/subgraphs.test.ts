import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRouter, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ ROUTER_SECRET: 'the-old-secret,the-secret-of-routers', SUBGRAPHS: 'all', INLINE_TRACING: 'on' });
  await app.graphql('mutation { upsertTournament(input: { id: "open", title: "Austin Open" }) { id } }');
});
afterAll(() => app.close());

const entities =
  '{ _entities(representations: [{ __typename: "Tournament", id: "open" }, { __typename: "Tournament", id: "none" }]) { ... on Tournament { title } } }';

async function ask(module: string, query: string, headers: Record<string, string>, variables: object = {}) {
  const response = await fetch(`${app.origin}/subgraphs/${module}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}

test('a platform resolves references, and an unknown id is null without harm to the others', async () => {
  expect(await ask('tournaments', entities, { ...asRouter, 'pb-api-token': app.platform.platform })).toEqual({
    data: { _entities: [{ title: 'Austin Open' }, null] },
  });
});

test('a public client reaches no entity', async () => {
  const { errors } = await ask('tournaments', entities, {});
  expect(errors[0].extensions).toEqual({ code: 'UNAUTHENTICATED' });
});

test('a user alone reaches no entity', async () => {
  const { user } = await app.person();
  const { errors } = await ask('tournaments', entities, { 'pb-user-token': user });
  expect(errors[0].extensions).toEqual({ code: 'FORBIDDEN' });
});

test('who reaches no entity is told so by the status, too', async () => {
  const { user } = await app.person();
  const status = async (headers: Record<string, string>) =>
    (
      await fetch(`${app.origin}/subgraphs/tournaments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query: entities }),
      })
    ).status;
  expect([await status({}), await status({ 'pb-user-token': user })]).toEqual([401, 403]);
});

describe('without the secret of a router', () => {
  const asked: [string, string][] = [
    ['no entity', entities],
    ['no SDL', '{ _service { sdl } }'],
    ['no introspection', '{ __schema { types { name } } }'],
    ['no field', '{ tournaments { totalCount } }'],
    ['nothing that is not even read', '{'],
  ];
  test.each(asked)('a platform reaches %s', async (_, query) => {
    const platform = { 'pb-api-token': app.platform.platform };
    const wrong: Record<string, string>[] = [
      {},
      { 'router-secret': '' },
      { 'router-secret': 'the-secret' },
      { 'router-secret': `${asRouter['router-secret']}x` },
    ];
    const answers = await Promise.all(wrong.map((headers) => ask('tournaments', query, { ...platform, ...headers })));
    expect(answers).toEqual(
      wrong.map(() => ({
        errors: [
          { message: 'only for routers: the header router-secret is missing or wrong', extensions: { code: 'FORBIDDEN' } },
        ],
      })),
    );
  });

  test('nobody learns which subgraphs there are', async () => {
    const statuses = await Promise.all(
      ['tournaments', 'none'].map(async (name) => (await fetch(`${app.origin}/subgraphs/${name}`)).status),
    );
    expect(statuses).toEqual([401, 401]);
  });
});

test('while routers change over, the old secret opens as well as the new one', async () => {
  const platform = { 'pb-api-token': app.platform.platform };
  const secrets = ['the-old-secret', 'the-secret-of-routers', 'the-old-secret,the-secret-of-routers'];
  const answers = await Promise.all(
    secrets.map((secret) => ask('tournaments', '{ tournaments { totalCount } }', { ...platform, 'router-secret': secret })),
  );
  expect(answers.map(({ data, errors }) => data ?? errors[0].extensions.code)).toEqual([
    { tournaments: { totalCount: 1 } },
    { tournaments: { totalCount: 1 } },
    'FORBIDDEN',
  ]);
});

test('routers read the SDL and the schema, and traces where they are on', async () => {
  const { data, extensions } = await ask('news', '{ _service { sdl } __schema { queryType { name } } }', {
    ...asRouter,
    'apollo-federation-include-trace': 'ftv1',
  });
  expect([data._service.sdl.includes('type NewsItem'), data.__schema, typeof extensions.ftv1]).toEqual([
    true,
    { queryType: { name: 'Query' } },
    'string',
  ]);
});

test('a router that knows the secret reads entities as the user for whom it asks', async () => {
  const { user } = await app.person();
  expect(await ask('tournaments', entities, { 'pb-user-token': user, ...asRouter })).toEqual({
    data: { _entities: [{ title: 'Austin Open' }, null] },
  });
});

test('the secret alone does not lift the policy of a record', async () => {
  const { data, errors } = await ask('tournaments', entities, { ...asRouter });
  expect([data, errors[0].extensions.code]).toEqual([{ _entities: [null, null] }, 'UNAUTHENTICATED']);
});

test('a hundred references are one statement', async () => {
  const references = Array.from({ length: 100 }, (_, index) => `{ __typename: "Tournament", id: "${index}" }`).join(' ');
  const before = app.statements();
  await ask('tournaments', `{ _entities(representations: [${references}]) { ... on Tournament { title } } }`, {
    ...asRouter,
    'pb-api-token': app.platform.platform,
  });
  expect(app.statements() - before).toBeLessThanOrEqual(2);
});

describe('representations', () => {
  const references =
    'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Tournament { title } } }';
  const asked = async (representations: unknown[], query = references) => {
    const headers = { ...asRouter, 'pb-api-token': app.platform.platform };
    const { data, errors, extensions } = await ask('tournaments', query, headers, { representations });
    const told = errors?.map(
      ({ message, path, extensions: { code } }: { message: string; path: unknown; extensions: { code: string } }) => [
        code,
        path,
        message.replace(/expected one of .*Tournament\b.*?(?=;|$)/, 'expected one of …'),
      ],
    );
    return { data, told, cost: extensions?.cost };
  };
  const open = { __typename: 'Tournament', id: 'open' };

  const type = '__typename: expected one of …';
  const id = 'id: expected an id of 1 to 255 characters';
  const wrong: [string, unknown, string][] = [
    ['a type that there is not', { __typename: 'Court', id: 'open' }, `.${type}`],
    ['no type', { id: 'open' }, `.${type}`],
    ['a number for a type', { __typename: 7, id: 'open' }, `.${type}`],
    ['a name that every object has', { __typename: 'constructor', id: 'open' }, `.${type}`],
    ['another one', { __typename: '__proto__', id: 'open' }, `.${type}`],
    ['a type that is no record', { __typename: 'PageInfo', id: 'open' }, `.${type}`],
    ['a root', { __typename: 'Query', id: 'open' }, `.${type}`],
    ['an interface', { __typename: 'Node', id: 'open' }, `.${type}`],
    ['a record of which this subgraph has the key only', { __typename: 'Country', id: 'open' }, `.${type}`],
    ['a text', 'open', ': expected an object'],
    ['a number', 7, ': expected an object'],
    ['a list', [open], ': expected an object'],
    ['no id', { __typename: 'Tournament' }, `.${id}`],
    ['null for an id', { __typename: 'Tournament', id: null }, `.${id}`],
    ['a number for an id', { __typename: 'Tournament', id: 7 }, `.${id}`],
    ['an empty id', { __typename: 'Tournament', id: '' }, `.${id}`],
    ['a long id', { __typename: 'Tournament', id: 'x'.repeat(256) }, `.${id}`],
    ['an id with a NUL', { __typename: 'Tournament', id: 'a\0b' }, '.id: expected text without NUL characters'],
    ['half a character', { __typename: 'Tournament', id: '\ud83d' }, '.id: expected well-formed Unicode text'],
    ['nothing right', {}, `.${type}; representations[1].${id}`],
  ];

  test.each(wrong)('one that is wrong fails alone: %s', async (_, representation, problem) => {
    expect(await asked([open, representation, open])).toEqual({
      data: { _entities: [{ title: 'Austin Open' }, null, { title: 'Austin Open' }] },
      told: [['BAD_INPUT', ['_entities', 1], `representations[1]${problem}`]],
      cost: undefined,
    });
  });

  test('cost what is selected of each, and are refused where that is too much', async () => {
    const nested = references.replace('title', 'teams(first: 100) { nodes { id } }');
    const many = Array(15_000).fill(open);
    const refusal = 'the answer could have 1515001 fields: expected at most 200000, ask for fewer items';
    expect(await asked(many, nested)).toEqual({
      data: undefined,
      told: [['BAD_INPUT', undefined, refusal]],
      cost: { cost: 1_515_001, limit: 200_000 },
    });
  });

  test('are as many as two full lists hold, one in the other, and no more', async () => {
    const full = await asked(Array(10_000).fill(open));
    const over = await asked(Array(10_001).fill(open));
    expect([full.data._entities.length, full.told, over.data, over.told]).toEqual([
      10_000,
      undefined,
      null,
      [['BAD_INPUT', ['_entities'], 'representations: expected at most 10000 of them']],
    ]);
  });
});
