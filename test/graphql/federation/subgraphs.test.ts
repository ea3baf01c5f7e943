import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routerHeaders, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ ROUTER_SECRET: 'the-old-secret,the-secret-of-routers', SUBGRAPHS: 'all', INLINE_TRACING: 'on' });
  await app.graphql('mutation { upsertTournament(input: { id: "open", title: "Austin Open" }) { id } }');
});
afterAll(() => app.close());

const entities =
  '{ _entities(representations: [{ __typename: "Tournament", id: "open" }, { __typename: "Tournament", id: "none" }]) { ... on Tournament { title } } }';

const send = (module: string, query: string, headers: Record<string, string>, variables: object = {}) =>
  fetch(`${app.origin}/subgraphs/${module}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
const post = async (...request: Parameters<typeof send>) => (await send(...request)).json();

test('a platform can resolve references, and an unknown ID resolves to null without affecting other references', async () => {
  expect(await post('tournaments', entities, { ...routerHeaders, 'pb-api-token': app.platform.platform })).toEqual({
    data: { _entities: [{ title: 'Austin Open' }, null] },
  });
});

const resultOf = async (response: Response) => {
  const { errors } = await response.json();
  return { status: response.status, extensions: errors[0].extensions };
};

test('entities are UNAUTHENTICATED without a token', async () => {
  expect(await resultOf(await send('tournaments', entities, {}))).toEqual({
    status: 401,
    extensions: { code: 'UNAUTHENTICATED' },
  });
});

test('entities are FORBIDDEN to users', async () => {
  const { user } = await app.person();
  expect(await resultOf(await send('tournaments', entities, { 'pb-user-token': user }))).toEqual({
    status: 403,
    extensions: { code: 'FORBIDDEN' },
  });
});

describe('without the router secret', () => {
  const queries: [string, string][] = [
    ['entities', entities],
    ['the SDL', '{ _service { sdl } }'],
    ['introspection', '{ __schema { types { name } } }'],
    ['fields', '{ tournaments { totalCount } }'],
    ['invalid documents, which are not parsed', '{'],
  ];
  test.each(queries)('a platform cannot query %s', async (_, query) => {
    const platform = { 'pb-api-token': app.platform.platform };
    const wrongSecrets: Record<string, string>[] = [
      {},
      { 'router-secret': '' },
      { 'router-secret': 'the-secret' },
      { 'router-secret': `${routerHeaders['router-secret']}x` },
    ];
    const answers = await Promise.all(wrongSecrets.map((secret) => post('tournaments', query, { ...platform, ...secret })));
    expect(answers).toEqual(
      wrongSecrets.map(() => ({
        errors: [
          { message: 'only for routers: the header router-secret is missing or wrong', extensions: { code: 'FORBIDDEN' } },
        ],
      })),
    );
  });

  test('existing and unknown subgraphs respond with the same status', async () => {
    const statusOf = async (name: string) => (await fetch(`${app.origin}/subgraphs/${name}`)).status;
    expect({ existing: await statusOf('tournaments'), unknown: await statusOf('none') }).toEqual({
      existing: 401,
      unknown: 401,
    });
  });
});

test('during a rotation of the router secret, the old and the new one are accepted', async () => {
  const postWith = async (secret: string) => {
    const headers = { 'pb-api-token': app.platform.platform, 'router-secret': secret };
    const { data, errors } = await post('tournaments', '{ tournaments { totalCount } }', headers);
    return data ?? errors[0].extensions.code;
  };
  expect({
    old: await postWith('the-old-secret'),
    new: await postWith('the-secret-of-routers'),
    both: await postWith('the-old-secret,the-secret-of-routers'),
  }).toEqual({
    old: { tournaments: { totalCount: 1 } },
    new: { tournaments: { totalCount: 1 } },
    both: 'FORBIDDEN',
  });
});

test('a router can read the SDL and the schema', async () => {
  const { data } = await post('news', '{ _service { sdl } __schema { queryType { name } } }', routerHeaders);
  expect(data).toEqual({
    _service: { sdl: expect.stringContaining('type NewsItem') },
    __schema: { queryType: { name: 'Query' } },
  });
});

test('a router gets a trace on request', async () => {
  const headers = { ...routerHeaders, 'apollo-federation-include-trace': 'ftv1' };
  const { extensions } = await post('news', '{ _service { sdl } __schema { queryType { name } } }', headers);
  expect(extensions.ftv1).toEqual(expect.any(String));
});

test('a router can read entities as its user', async () => {
  const { user } = await app.person();
  expect(await post('tournaments', entities, { 'pb-user-token': user, ...routerHeaders })).toEqual({
    data: { _entities: [{ title: 'Austin Open' }, null] },
  });
});

test('the router secret alone does not bypass the policy of a record', async () => {
  const { data, errors } = await post('tournaments', entities, { ...routerHeaders });
  expect({ data, code: errors[0].extensions.code }).toEqual({ data: { _entities: [null, null] }, code: 'UNAUTHENTICATED' });
});

test('a hundred references take one statement', async () => {
  const references = Array.from({ length: 100 }, (_, index) => `{ __typename: "Tournament", id: "${index}" }`).join(' ');
  const before = app.statements();
  await post('tournaments', `{ _entities(representations: [${references}]) { ... on Tournament { title } } }`, {
    ...routerHeaders,
    'pb-api-token': app.platform.platform,
  });
  expect(app.statements() - before).toBeLessThanOrEqual(2);
});

describe('representations', () => {
  const references =
    'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Tournament { title } } }';
  const getEntities = async (representations: unknown[], query = references) => {
    const headers = { ...routerHeaders, 'pb-api-token': app.platform.platform };
    const body = await post('tournaments', query, headers, { representations });
    const errors = body.errors?.map(
      ({ message, path, extensions: { code } }: { message: string; path: unknown; extensions: { code: string } }) => ({
        code,
        path,
        message: message.replace(/expected one of .*Tournament\b.*?(?=;|$)/, 'expected one of …'),
      }),
    );
    return { data: body.data, errors, cost: body.extensions?.cost };
  };
  const open = { __typename: 'Tournament', id: 'open' };

  const type = '__typename: expected one of …';
  const id = 'id: expected an id of 1 to 255 characters';
  const invalid: [string, unknown, string][] = [
    ['an unknown type', { __typename: 'Court', id: 'open' }, `.${type}`],
    ['no type', { id: 'open' }, `.${type}`],
    ['a number for a type', { __typename: 7, id: 'open' }, `.${type}`],
    ['constructor for a type', { __typename: 'constructor', id: 'open' }, `.${type}`],
    ['__proto__ for a type', { __typename: '__proto__', id: 'open' }, `.${type}`],
    ['a type that is not a record', { __typename: 'PageInfo', id: 'open' }, `.${type}`],
    ['a root type', { __typename: 'Query', id: 'open' }, `.${type}`],
    ['an interface', { __typename: 'Node', id: 'open' }, `.${type}`],
    ['a record for which this subgraph has only the key', { __typename: 'Country', id: 'open' }, `.${type}`],
    ['a text', 'open', ': expected an object'],
    ['a number', 7, ': expected an object'],
    ['a list', [open], ': expected an object'],
    ['no ID', { __typename: 'Tournament' }, `.${id}`],
    ['null for an ID', { __typename: 'Tournament', id: null }, `.${id}`],
    ['a number for an ID', { __typename: 'Tournament', id: 7 }, `.${id}`],
    ['an empty ID', { __typename: 'Tournament', id: '' }, `.${id}`],
    ['an ID of 256 characters', { __typename: 'Tournament', id: 'x'.repeat(256) }, `.${id}`],
    ['an ID with a NUL character', { __typename: 'Tournament', id: 'a\0b' }, '.id: expected text without NUL characters'],
    ['an ID with half of a surrogate pair', { __typename: 'Tournament', id: '\ud83d' }, '.id: expected well-formed Unicode text'],
    ['neither type nor ID', {}, `.${type}; representations[1].${id}`],
  ];

  test.each(invalid)('with an error do not affect others: %s', async (_, representation, problem) => {
    expect(await getEntities([open, representation, open])).toEqual({
      data: { _entities: [{ title: 'Austin Open' }, null, { title: 'Austin Open' }] },
      errors: [{ code: 'BAD_INPUT', path: ['_entities', 1], message: `representations[1]${problem}` }],
      cost: undefined,
    });
  });

  test('multiply the cost of their selection, and are rejected above the limit', async () => {
    const nested = references.replace('title', 'teams(first: 100) { nodes { id } }');
    const message = 'the operation costs 1515001: expected at most 200000, request fewer items';
    expect(await getEntities(Array(15_000).fill(open), nested)).toEqual({
      data: undefined,
      errors: [{ code: 'BAD_INPUT', path: undefined, message }],
      cost: { cost: 1_515_001, limit: 200_000 },
    });
  });

  test('may be 10,000, the size of two nested full lists', async () => {
    const { data, errors } = await getEntities(Array(10_000).fill(open));
    expect(errors).toBeUndefined();
    expect(data._entities).toHaveLength(10_000);
  });

  test('are rejected above 10,000', async () => {
    const { data, errors } = await getEntities(Array(10_001).fill(open));
    const message = 'representations: expected at most 10000 items';
    expect({ data, errors }).toEqual({ data: null, errors: [{ code: 'BAD_INPUT', path: ['_entities'], message }] });
  });
});
