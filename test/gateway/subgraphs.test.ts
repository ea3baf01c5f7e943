import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ ROUTER_SECRET: 'a-secret-of-routers', SUBGRAPHS: 'all' });
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
  expect(await ask('tournaments', entities, { 'pb-api-token': app.platform.platform })).toEqual({
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

test('a router that knows the secret reads entities as the user for whom it asks', async () => {
  const { user } = await app.person();
  expect(await ask('tournaments', entities, { 'pb-user-token': user, 'router-secret': 'a-secret-of-routers' })).toEqual({
    data: { _entities: [{ title: 'Austin Open' }, null] },
  });
});

test('the secret alone does not lift the policy of a record', async () => {
  const { data, errors } = await ask('tournaments', entities, { 'router-secret': 'a-secret-of-routers' });
  expect([data, errors[0].extensions.code]).toEqual([{ _entities: [null, null] }, 'UNAUTHENTICATED']);
});

test('a hundred references are one statement', async () => {
  const references = Array.from({ length: 100 }, (_, index) => `{ __typename: "Tournament", id: "${index}" }`).join(' ');
  const before = app.statements();
  await ask('tournaments', `{ _entities(representations: [${references}]) { ... on Tournament { title } } }`, {
    'router-secret': 'a-secret-of-routers',
    'pb-api-token': app.platform.platform,
  });
  expect(app.statements() - before).toBeLessThanOrEqual(2);
});
