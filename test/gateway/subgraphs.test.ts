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

async function ask(module: string, query: string, headers: Record<string, string>) {
  const response = await fetch(`${app.origin}/subgraphs/${module}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
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
