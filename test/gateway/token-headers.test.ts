import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../src/modules/accounts/password.js';
import { asRouter, type Person, startApp, type TestApp } from '../support/app.js';
import { newKey } from '../support/keys.js';

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

const paths = ['/graphql', '/subgraphs/accounts', '/v1/sso/validate_token'];

/** What a path answers: its status and message, or who it thinks is signed in. */
async function knock(path: string, headers: Record<string, string>) {
  const isLegacy = path.startsWith('/v1');
  const response = await fetch(app.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...asRouter, ...headers },
    body: isLegacy ? '{}' : JSON.stringify({ query: '{ viewer { id } }' }),
  });
  const body = await response.json();
  const [error] = body.errors ?? [];
  if (error) return [response.status, error.message, error.extensions.code];
  return [response.status, body.Message ?? (isLegacy ? ana.id : (body.data.viewer?.id ?? null))];
}
const everywhere = (headers: Record<string, string>) => Promise.all(paths.map((path) => knock(path, headers)));
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const refused = (status: number, message: string, code: string) => [
  [status, message, code],
  [status, message, code],
  [status, message],
];

describe('Authorization carries', () => {
  test('a user token, alone, beside a key, beside a platform token, or beside itself', async () => {
    const answers = await Promise.all(
      [
        bearer(ana.user),
        { Authorization: `bearer  ${ana.user}` },
        { ...bearer(ana.user), 'PB-API-TOKEN': key },
        { ...bearer(ana.user), 'PB-API-TOKEN': app.platform.platform },
        { ...bearer(ana.user), 'PB-USER-TOKEN': ana.user },
        { ...bearer(key), 'PB-USER-TOKEN': ana.user },
      ].map(everywhere),
    );
    expect(answers).toEqual(Array(6).fill(Array(3).fill([200, ana.id])));
  });

  test('a publishable key, alone or beside itself', async () => {
    const read = async (headers: Record<string, string>) =>
      (await app.rest('GET', '/v1/data/tourney_flat_data', {})).status === 401 &&
      (await fetch(`${app.origin}/v1/data/tourney_flat_data`, { headers })).status;
    expect([await read(bearer(key)), await read({ ...bearer(key), 'PB-API-TOKEN': key })]).toEqual([200, 200]);
  });

  test('the token that a log-out ends', async () => {
    const { user } = await app.person();
    const end = await fetch(`${app.origin}/v1/sso/logout`, { method: 'POST', headers: bearer(user), body: '{}' });
    expect([end.status, await knock('/graphql', bearer(user))]).toEqual([
      200,
      [200, 'the token is unknown, expired or revoked', 'UNAUTHENTICATED'],
    ]);
  });

  test('no platform token, and nothing that is unknown', async () => {
    const dead = 'the token is unknown, expired or revoked';
    const answers = await Promise.all(
      [bearer(app.platform.platform), bearer('pk_unknown'), bearer('unknown')].map((headers) =>
        Promise.all([knock('/graphql', headers), knock('/v1/sso/validate_token', headers)]),
      ),
    );
    expect(answers).toEqual(
      Array(3).fill([
        [200, dead, 'UNAUTHENTICATED'],
        [401, dead],
      ]),
    );
  });
});

describe('is a 400 on every path', () => {
  const form = 'Authorization: expected `Bearer` and a user token or a publishable key behind it';
  test.each(['Basic YW5hOnNlY3JldA==', 'Bearer', 'Bearer two words', 'token'])('Authorization: %s', async (Authorization) => {
    expect(await everywhere({ Authorization, 'PB-USER-TOKEN': ana.user })).toEqual(refused(400, form, 'BAD_INPUT'));
  });

  test('a user token that contradicts PB-USER-TOKEN', async () => {
    const message = 'Authorization: expected the user token that PB-USER-TOKEN holds, or only one of the two';
    expect(await everywhere({ ...bearer(ana.user), 'PB-USER-TOKEN': bo.user })).toEqual(refused(400, message, 'BAD_INPUT'));
  });

  test('a header that is sent twice and says two things', async () => {
    const twice = (path: string, name: string, values: string[]) =>
      new Promise((done, fail) => {
        const sent = request(app.origin + path, { method: 'POST', headers: asRouter }, (response) => {
          response.resume();
          done(response.statusCode);
        }).on('error', fail);
        sent.setHeader(name, values).setHeader('content-type', 'application/json');
        sent.end(path.startsWith('/v1') ? '{}' : JSON.stringify({ query: '{ viewer { id } }' }));
      });
    const [anas, bos] = [`Bearer ${ana.user}`, `Bearer ${bo.user}`];
    const statuses = (name: string, values: string[]) => Promise.all(paths.map((path) => twice(path, name, values)));
    expect([
      await statuses('Authorization', [anas, bos]),
      await statuses('PB-USER-TOKEN', [ana.user, bo.user]),
      await statuses('Authorization', [anas, anas]),
      await statuses('PB-USER-TOKEN', [ana.user, ana.user]),
    ]).toEqual([Array(3).fill(400), Array(3).fill(400), Array(3).fill(200), Array(3).fill(200)]);
  });

  test('a key that contradicts PB-API-TOKEN', async () => {
    const message = 'Authorization: expected the publishable key that PB-API-TOKEN holds, or only one of the two';
    const answers = [
      await everywhere({ ...bearer(key), 'PB-API-TOKEN': anotherKey }),
      await everywhere({ ...bearer(key), 'PB-API-TOKEN': app.platform.platform }),
    ];
    expect(answers).toEqual(Array(2).fill(refused(400, message, 'BAD_INPUT')));
  });
});

describe('the origin of a page', () => {
  test.each(['https://play.example', 'http://localhost', 'http://localhost:5173'])(
    '%s is on the list of the key',
    async (Origin) => {
      expect(await everywhere({ ...bearer(ana.user), 'PB-API-TOKEN': key, Origin })).toEqual(Array(3).fill([200, ana.id]));
    },
  );

  test.each([
    'https://play.example.evil.example',
    'http://play.example',
    'https://play.example:8443',
    'http://localhost.evil.example',
    'https://localhost',
    'null',
  ])('%s is not, and is a 403 on every path', async (Origin) => {
    const message = `the publishable key is not for pages of ${Origin}: its origin must be on the key's list`;
    expect(await everywhere({ ...bearer(ana.user), 'PB-API-TOKEN': key, Origin })).toEqual(refused(403, message, 'FORBIDDEN'));
  });

  test('none is let in by a key without a list, and neither counts for other tokens', async () => {
    const Origin = 'https://play.example';
    const answers = [
      await knock('/graphql', { ...bearer(ana.user), 'PB-API-TOKEN': anotherKey, Origin }),
      await knock('/graphql', { ...bearer(ana.user), 'PB-API-TOKEN': anotherKey }),
      await knock('/graphql', { ...bearer(ana.user), 'PB-API-TOKEN': app.platform.platform, Origin }),
    ];
    expect(answers.map(([status]) => status)).toEqual([403, 200, 200]);
  });
});

test('a key alone opens no entity of a subgraph', async () => {
  const query = '{ _entities(representations: [{ __typename: "User", id: "person-1" }]) { ... on User { firstName } } }';
  const { errors } = await fetch(`${app.origin}/subgraphs/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PB-API-TOKEN': key },
    body: JSON.stringify({ query }),
  }).then((response) => response.json());
  expect(errors[0].extensions).toEqual({ code: 'FORBIDDEN' });
});

test('a wrong password and a dead token have codes of their own, and in /v1 are 401 both', async () => {
  const { id } = await app.person({ email: 'codes@example.com' });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await hashPassword('correct horse')]);
  const login = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(app.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'PB-API-TOKEN': key, ...asRouter, ...headers },
      body: JSON.stringify(
        path.startsWith('/v1')
          ? { payload: { email: 'codes@example.com', password: 'wrong' } }
          : { query: 'mutation { login(input: { email: "codes@example.com", password: "wrong" }) { token } }' },
      ),
    });
    const { errors, Message } = await response.json();
    return [response.status, errors ? errors[0].extensions.code : Message];
  };
  expect([
    await login('/graphql', {}),
    await login('/graphql', bearer('dead')),
    await login('/v1/sso/login', {}),
    await login('/v1/sso/login', bearer('dead')),
    await login('/subgraphs/accounts', {}),
  ]).toEqual([
    [200, 'INVALID_CREDENTIALS'],
    [200, 'UNAUTHENTICATED'],
    [401, 'incorrect username or password'],
    [401, 'the token is unknown, expired or revoked'],
    [200, 'INVALID_CREDENTIALS'],
  ]);
});
