import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passwordHash } from '../../support/fixtures/passwords.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { type Person, routerHeaders, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
let bo: Person;
let key: string;
let anotherKey: string;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'accounts' });
  [ana, bo] = [await app.person(), await app.person()];
  ({ key } = await newKey(app, ['https://play.example', 'http://localhost:*']));
  ({ key: anotherKey } = await newKey(app));
});
afterAll(() => app.close());

const paths = { graphql: '/graphql', subgraph: '/subgraphs/accounts', legacy: '/v1/sso/validate_token' };

/** Sends a request. Returns the status of the response with either the ID of the caller or the error. */
async function post(path: string, headers: Record<string, string>) {
  const isLegacy = path.startsWith('/v1');
  const response = await fetch(app.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...routerHeaders, ...headers },
    body: isLegacy ? '{}' : JSON.stringify({ query: '{ viewer { id } }' }),
  });
  const body = await response.json();
  const [error] = body.errors ?? [];
  if (error) return { status: response.status, message: error.message, code: error.extensions.code };
  if (typeof body.Message === 'string') return { status: response.status, message: body.Message };
  return { status: response.status, callerId: isLegacy ? ana.id : (body.data.viewer?.id ?? null) };
}
const postToAll = async (headers: Record<string, string>) => ({
  graphql: await post(paths.graphql, headers),
  subgraph: await post(paths.subgraph, headers),
  legacy: await post(paths.legacy, headers),
});
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const acceptedAs = (callerId: string) => ({
  graphql: { status: 200, callerId },
  subgraph: { status: 200, callerId },
  legacy: { status: 200, callerId },
});
/** Returns the expected error for each kind of path. Errors of `/v1` have no code. */
const rejectedWith = (status: number, message: string, code: string) => ({
  graphql: { status, message, code },
  subgraph: { status, message, code },
  legacy: { status, message },
});
const unknownToken = 'the token is unknown, expired or revoked';

describe('Authorization', () => {
  test.each<[string, () => Record<string, string>]>([
    ['alone', () => bearer(ana.user)],
    ['with a lowercase scheme and two spaces', () => ({ Authorization: `bearer  ${ana.user}` })],
    ['with a key in PB-API-TOKEN', () => ({ ...bearer(ana.user), 'PB-API-TOKEN': key })],
    ['with a platform token in PB-API-TOKEN', () => ({ ...bearer(ana.user), 'PB-API-TOKEN': app.platform.platform })],
    ['with the same token in PB-USER-TOKEN', () => ({ ...bearer(ana.user), 'PB-USER-TOKEN': ana.user })],
  ])('accepts a user token %s', async (_, headers) => {
    expect(await postToAll(headers())).toEqual(acceptedAs(ana.id));
  });

  test('accepts a publishable key with a user token in PB-USER-TOKEN', async () => {
    expect(await postToAll({ ...bearer(key), 'PB-USER-TOKEN': ana.user })).toEqual(acceptedAs(ana.id));
  });

  test('accepts a publishable key alone and with the same key in PB-API-TOKEN', async () => {
    const statusWith = async (headers: Record<string, string>) =>
      (await fetch(`${app.origin}/v1/data/tourney_flat_data`, { headers })).status;
    expect({
      nothing: await statusWith({}),
      alone: await statusWith(bearer(key)),
      withSameKey: await statusWith({ ...bearer(key), 'PB-API-TOKEN': key }),
    }).toEqual({ nothing: 401, alone: 200, withSameKey: 200 });
  });

  test.each(['Bearer', 'bearer', 'Bearer null', 'Bearer undefined', 'null'])(
    'counts as absent if it is: %s',
    async (Authorization) => {
      expect(await postToAll({ Authorization, 'PB-USER-TOKEN': ana.user })).toEqual(acceptedAs(ana.id));
    },
  );

  test('names the token that a logout revokes', async () => {
    const { user } = await app.person();
    const logout = await fetch(`${app.origin}/v1/sso/logout`, { method: 'POST', headers: bearer(user), body: '{}' });
    expect(logout.status).toBe(200);
    expect(await post(paths.graphql, bearer(user))).toEqual({ status: 200, message: unknownToken, code: 'UNAUTHENTICATED' });
  });

  test.each([
    ['a platform token', () => app.platform.platform],
    ['an unknown key', () => 'pk_unknown'],
    ['an unknown token', () => 'unknown'],
  ])('rejects %s', async (_, token) => {
    expect({
      graphql: await post(paths.graphql, bearer(token())),
      legacy: await post(paths.legacy, bearer(token())),
    }).toEqual({
      graphql: { status: 200, message: unknownToken, code: 'UNAUTHENTICATED' },
      legacy: { status: 401, message: unknownToken },
    });
  });
});

describe('every path responds with 400 to', () => {
  const malformed = 'Authorization: expected `Bearer` followed by a user token or a publishable key';
  test.each(['Basic YW5hOnNlY3JldA==', 'Bearernull', 'Bearer two words', 'token'])('Authorization: %s', async (Authorization) => {
    const answers = await postToAll({ Authorization, 'PB-USER-TOKEN': ana.user });
    expect(answers).toEqual(rejectedWith(400, malformed, 'BAD_INPUT'));
  });

  test('a user token that contradicts PB-USER-TOKEN', async () => {
    const message = 'Authorization: expected the same user token as in PB-USER-TOKEN, or only one of the two headers';
    const answers = await postToAll({ ...bearer(ana.user), 'PB-USER-TOKEN': bo.user });
    expect(answers).toEqual(rejectedWith(400, message, 'BAD_INPUT'));
  });

  test.each<[string, () => string]>([
    ['another key', () => anotherKey],
    ['a platform token', () => app.platform.platform],
  ])('a key that contradicts %s in PB-API-TOKEN', async (_, apiToken) => {
    const message = 'Authorization: expected the same publishable key as in PB-API-TOKEN, or only one of the two headers';
    const answers = await postToAll({ ...bearer(key), 'PB-API-TOKEN': apiToken() });
    expect(answers).toEqual(rejectedWith(400, message, 'BAD_INPUT'));
  });
});

describe.each(Object.values(paths))('duplicate headers at %s', (path) => {
  const statusWith = (name: string, values: string[]) =>
    new Promise((resolve, reject) => {
      const outgoing = request(app.origin + path, { method: 'POST', headers: routerHeaders }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
      outgoing.setHeader(name, values).setHeader('content-type', 'application/json');
      outgoing.end(path.startsWith('/v1') ? '{}' : JSON.stringify({ query: '{ viewer { id } }' }));
    });

  test.each<[string, (token: string) => string]>([
    ['Authorization', (token) => `Bearer ${token}`],
    ['PB-USER-TOKEN', (token) => token],
  ])('%s is accepted with equal values and rejected with different ones', async (name, headerFor) => {
    expect({
      equal: await statusWith(name, [headerFor(ana.user), headerFor(ana.user)]),
      different: await statusWith(name, [headerFor(ana.user), headerFor(bo.user)]),
    }).toEqual({ equal: 200, different: 400 });
  });
});

describe('the origin of a page', () => {
  test.each(['https://play.example', 'http://localhost', 'http://localhost:5173'])(
    '%s is accepted, because the list of the key contains it',
    async (Origin) => {
      const answers = await postToAll({ ...bearer(ana.user), 'PB-API-TOKEN': key, Origin });
      expect(answers).toEqual(acceptedAs(ana.id));
    },
  );

  test.each([
    'https://play.example.evil.example',
    'http://play.example',
    'https://play.example:8443',
    'http://localhost.evil.example',
    'https://localhost',
    'null',
  ])('%s is rejected with 403 on every path', async (Origin) => {
    const message = `the publishable key does not allow pages of ${Origin}: add it to the allowed origins of the key`;
    const answers = await postToAll({ ...bearer(ana.user), 'PB-API-TOKEN': key, Origin });
    expect(answers).toEqual(rejectedWith(403, message, 'FORBIDDEN'));
  });

  test('is rejected by a key without a list, and ignored for platform tokens', async () => {
    const Origin = 'https://play.example';
    const statusWith = async (headers: Record<string, string>) =>
      (await post(paths.graphql, { ...bearer(ana.user), ...headers })).status;
    expect({
      keyWithoutList: await statusWith({ 'PB-API-TOKEN': anotherKey, Origin }),
      keyWithoutListAndOrigin: await statusWith({ 'PB-API-TOKEN': anotherKey }),
      platformToken: await statusWith({ 'PB-API-TOKEN': app.platform.platform, Origin }),
    }).toEqual({ keyWithoutList: 403, keyWithoutListAndOrigin: 200, platformToken: 200 });
  });
});

test('a publishable key alone cannot read entities of a subgraph', async () => {
  const query = '{ _entities(representations: [{ __typename: "User", id: "person-1" }]) { ... on User { firstName } } }';
  const { errors } = await fetch(`${app.origin}/subgraphs/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PB-API-TOKEN': key },
    body: JSON.stringify({ query }),
  }).then((response) => response.json());
  expect(errors[0].extensions).toEqual({ code: 'FORBIDDEN' });
});

test('a wrong password and an unknown token have different codes in GraphQL, and are both 401 in /v1', async () => {
  const { id } = await app.person({ email: 'codes@example.com' });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await passwordHash('correct horse')]);
  const login = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(app.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'PB-API-TOKEN': key, ...routerHeaders, ...headers },
      body: JSON.stringify(
        path.startsWith('/v1')
          ? { payload: { email: 'codes@example.com', password: 'wrong' } }
          : { query: 'mutation { login(input: { email: "codes@example.com", password: "wrong" }) { token } }' },
      ),
    });
    const { errors, Message } = await response.json();
    return { status: response.status, ...(errors ? { code: errors[0].extensions.code } : { message: Message }) };
  };
  expect({
    wrongPassword: await login('/graphql', {}),
    unknownToken: await login('/graphql', bearer('dead')),
    wrongPasswordInLegacy: await login('/v1/sso/login', {}),
    unknownUserTokenInLegacy: await login('/v1/sso/login', bearer('dead')),
    unknownPlatformTokenInLegacy: await login('/v1/sso/login', { 'PB-API-TOKEN': 'dead' }),
    wrongPasswordInSubgraph: await login('/subgraphs/accounts', {}),
  }).toEqual({
    wrongPassword: { status: 200, code: 'INVALID_CREDENTIALS' },
    unknownToken: { status: 200, code: 'UNAUTHENTICATED' },
    wrongPasswordInLegacy: { status: 401, message: 'incorrect username or password' },
    unknownUserTokenInLegacy: { status: 401, message: 'incorrect username or password' },
    unknownPlatformTokenInLegacy: { status: 401, message: 'the token is unknown, expired or revoked' },
    wrongPasswordInSubgraph: { status: 200, code: 'INVALID_CREDENTIALS' },
  });
});
