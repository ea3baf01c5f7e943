import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { row, sampleGraph } from './sample-graph.js';
import { serve } from './server.js';

const tournament = row('t1', { title: 'Austin Open', clubId: 'c1' });
const unknownCaller = { as: 'X' };
const startedAt = Math.floor(Date.now() / 1000);

/** Returns the status and message of an error response, and checks its other keys. */
const errorOf = ({ status, body, headers }: { status: number; body: unknown; headers: Headers }) => {
  const error = body as Record<string, unknown>;
  expect(Object.keys(error)).toEqual(['Code', 'Message', 'Timestamp', 'RequestId']);
  expect(error.Code).toBe(status);
  expect(Number(error.Timestamp)).toBeGreaterThanOrEqual(startedAt);
  expect(Number(error.Timestamp)).toBeLessThanOrEqual(Date.now() / 1000);
  expect(headers.get('x-request-id')).toBe(String(error.RequestId));
  return `${status} ${error.Message}`;
};

test('a response has headers for its type, length, ETag and request ID, and no others', async () => {
  const { send } = await serve(sampleGraph([tournament]));
  const { headers } = await send('GET /v1/data/places', { as: 'P' });
  expect(Object.fromEntries([...headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)))).toEqual({
    'content-type': 'application/json; charset=utf-8',
    'content-length': '76',
    etag: expect.stringMatching(/^"[\w-]{27}"$/),
    'x-request-id': expect.stringMatching(/^\d+$/),
  });
});

test.for([
  ['GET /v1/data/nothing', '404 there is no such path'],
  ['GET /v1', '404 there is no such path'],
  ['GET /v1/data/tournaments/%zz', '400 path: expected valid percent-encoding'],
  ['GET /v1/data/tournaments/%00', '400 uuid: expected text without NUL characters'],
  ['PUT /v1/data/tournaments', '405 expected one of the methods GET'],
  ['OPTIONS /v1/tournaments/t1', '405 expected one of the methods PUT, PATCH, DELETE'],
] as const)('%s returns %s', async ([route, message]) => {
  const { send } = await serve(sampleGraph([tournament]));
  expect(errorOf(await send(route, { as: 'P' }))).toBe(message);
});

test('the response to an unsupported method lists the allowed methods', async () => {
  const { send } = await serve(sampleGraph());
  expect((await send('DELETE /v1/users/u1/seen', unknownCaller)).headers.get('allow')).toBe('GET, HEAD, POST');
});

test.for(['/v2/data', '/', '/v1x', '/sso_platformx'])('%s is passed to the next handler', async (path) => {
  const { send } = await serve(sampleGraph());
  expect((await send(`GET ${path}`)).status).toBe(418);
});

test.for([
  '/v1/data/tournaments/t1',
  '/v1/data/tournaments/t1/',
  '//v1//data///tournaments/t1//',
  '/v1/data/tournaments/t%31?x=%zz',
  '/v1/data/%74ournaments/t1',
])('%s is normalized to the path of the route', async (path) => {
  const { send } = await serve(sampleGraph([tournament]));
  expect((await send(`GET ${path}`, { as: 'P' })).body).toMatchObject({ result: { TournamentID: 't1' } });
});

test('a long path parameter is percent-decoded', async () => {
  const graph = sampleGraph();
  const { send } = await serve(graph);
  const id = `ä/${'x'.repeat(2000)}`;
  await send(`GET /v1/data/tournaments/${encodeURIComponent(id)}`, { as: 'P' });
  expect(graph.operationVariables).toEqual([{ uuid: id }]);
});

const platformOnly = 'POST /v1/tournaments/upsert';
const userOnly = 'PATCH /v1/tournaments/t1';
const eitherOne = 'GET /v1/data/tournaments/t1';
const unknownToken = '401 the token is unknown, expired or revoked';

test.for([
  [platformOnly, '', '401 expected a platform token in the header PB-API-TOKEN'],
  [platformOnly, 'U', '403 this route requires a platform token in the header PB-API-TOKEN'],
  [userOnly, '', '401 expected a user token in the header PB-USER-TOKEN'],
  [userOnly, 'P', '401 expected a user token in the header PB-USER-TOKEN'],
  [eitherOne, '', '401 expected a token in the header PB-API-TOKEN or PB-USER-TOKEN'],
  ['GET /v1/users/u2/seen', 'U', '403 a user token opens the records of that user only'],
  ['GET /v1/secrets', 'U', '403 only for: super admin'],
  ...[platformOnly, userOnly, eitherOne, 'GET /v1/broken', 'GET /v1/data/tournaments'].flatMap((route) => [
    [route, 'X', unknownToken],
    [route, 'Y', unknownToken],
    [route, 'PY', unknownToken],
  ]),
] as const)('%s as "%s" returns %s before its body is parsed', async ([route, as, message]) => {
  const graph = sampleGraph([tournament]);
  const { send } = await serve(graph);
  const error = errorOf(await send(route, { as, body: route.startsWith('GET') ? undefined : '{' }));
  expect({ error, operations: graph.operationVariables }).toEqual({ error: message, operations: [] });
});

test.for([
  [eitherOne, 'P', 200],
  [eitherOne, 'U', 200],
  [eitherOne, 'PU', 200],
  [userOnly, 'PU', 200],
  [platformOnly, 'PU', 200],
  ['GET /v1/users/u1/seen', 'U', 200],
  ['GET /v1/users/u2/seen', 'P', 200],
  ['GET /v1/users/u2/seen', 'PU', 200],
  ['POST /v1/users/u2/seen', 'P', 200],
  ['GET /v1/optional/t1', '', 200],
  ['GET /v1/secrets', 'S', 404],
] as const)('%s as "%s" returns %s', async ([route, as, status]) => {
  const { send } = await serve(sampleGraph([tournament]));
  expect((await send(route, { as, body: route.startsWith('GET') ? undefined : { payload: {} } })).status).toBe(status);
});

test('`null` counts as an empty body if no body is required', async () => {
  const { send } = await serve(sampleGraph([tournament]));
  expect((await send('POST /v1/users/u2/seen', { as: 'P', body: 'null' })).status).toBe(200);
});

const notJson = /^400 body: expected JSON \(/;
const latin = Buffer.from('{"payload":{"Title":"\xe9"}}', 'latin1');

test.for<[string, unknown, string | RegExp]>([
  ['truncated', '{"payload":', notJson],
  ['not JSON', 'payload=1', notJson],
  ['an array', '[]', '400 body: expected a JSON object'],
  ['null', 'null', '400 body: expected a JSON object'],
  ['not in UTF-8', latin, '400 body: expected text in UTF-8'],
  ['too large', `{"payload":{"Title":"${'x'.repeat(2 ** 20)}"}}`, '413 body: expected at most 1048576 bytes'],
  [
    'too deeply nested',
    `{"payload":{"Settings":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    '400 payload.Settings: expected a value that is nested at most 50 levels deep',
  ],
  ['empty', '', '400 payload: expected an object'],
  ['blank', '  ', '400 payload: expected an object'],
  ['without payload', {}, '400 payload: expected an object'],
  ['with a payload of another type', { payload: [] }, '400 payload: expected an object'],
  ['with a __proto__ key', '{"__proto__":{"payload":{}}}', '400 payload: expected an object'],
  ['with invalid fieldsToOmit', { payload: {}, fieldsToOmit: [1] }, '400 fieldsToOmit: expected an array of strings'],
  [
    'with a nested value of the wrong type',
    { payload: { GoverningBodies: [{ id: {} }] } },
    '400 payload.GoverningBodies[0].id: expected a string',
  ],
])('rejects a body: %s', async ([, body, message]) => {
  const { send } = await serve(sampleGraph());
  expect(errorOf(await send(platformOnly, { as: 'P', body }))).toEqual(
    typeof message === 'string' ? message : expect.stringMatching(message),
  );
});

test.for<[string, Record<string, string>, string | Buffer, number]>([
  ['is read with any content type', { 'content-type': 'text/plain; charset=iso-8859-1' }, '{"payload":{"Title":"é"}}', 200],
  ['is read after a byte order mark', {}, '\ufeff{"payload":{"Title":"é"}}', 200],
  ['is read with an invalid content type', { 'content-type': ';;=' }, '{"payload":{"Title":"é"}}', 200],
  ['is decompressed if its encoding is gzip', { 'content-encoding': 'gzip' }, gzipSync('{"payload":{"Title":"é"}}'), 200],
  ['is rejected if its compression is broken', { 'content-encoding': 'gzip' }, 'é', 400],
  ['is rejected if its compression is unknown', { 'content-encoding': 'magic' }, 'é', 415],
])('a body %s', async ([, headers, body, status]) => {
  const { send } = await serve(sampleGraph());
  expect((await send(platformOnly, { as: 'P', headers, body })).status).toBe(status);
});

test('long numbers keep their digits in requests and responses', async () => {
  const { send } = await serve(sampleGraph());
  const { text } = await send(platformOnly, {
    as: 'P',
    body: '{"payload":{"Title":12345678901234567890,"CostRegistrationCurrent":12345678901234567.89}}',
  });
  expect(text).toMatch(/"Title":"12345678901234567890".*"CostRegistrationCurrent":12345678901234567\.89/);
});

test.for([
  ['POST /v1/tournaments/upsert', { payload: { Latitude: 91 } }, '400 payload.Latitude: expected a number from -90 to 90'],
  [
    'POST /v1/tournaments/upsert',
    { payload: { GoverningBodies: [{}, { approvedStatus: 'LOST' }] } },
    '400 payload.GoverningBodies[1].approvedStatus: expected a known status',
  ],
  [
    'POST /v1/tournaments/upsert',
    { payload: { SantionLevelsPPATitle: 'LOST' }, fieldsToOmit: ['SanctionAPP'] },
    '400 payload.SantionLevelsPPATitle: expected a known title',
  ],
  [
    'POST /v1/tournaments/upsert',
    { payload: { CostRegistrationCurrent: '9'.repeat(31) } },
    /^400 (?:payload\.CostRegistrationCurrent|Variable "\$input" got invalid value)/,
  ],
  ['PUT /v1/tournaments/t9', { payload: {} }, '404 there is no tournament t9'],
  ['GET /v1/data/tournaments?latitude=1&longitude=2', undefined, '400 latitude: expected a place on earth'],
  ['GET /v1/data/tournaments/t9', undefined, '404 there is no such record'],
  ['DELETE /v1/tournaments/t9', undefined, '404 there is no such record'],
  ['GET /v1/busy', undefined, '503 the database cannot be reached'],
  ['GET /v1/broken', undefined, '500 internal error'],
] as const)('%s with %j returns %s', async ([route, body, message]) => {
  const { send } = await serve(sampleGraph());
  expect(errorOf(await send(route, { as: 'P', body }))).toEqual(
    typeof message === 'string' ? message : expect.stringMatching(message),
  );
});

test('an unexpected error is logged with its cause and its request, without the token', async () => {
  const { send, logged } = await serve(sampleGraph());
  const { headers } = await send('GET /v1/broken?a=b', { as: 'P' });
  expect(logged).toEqual([
    {
      err: expect.objectContaining({ message: 'password of the database: hunter2' }),
      requestId: Number(headers.get('x-request-id')),
      method: 'GET',
      route: '/v1/broken',
    },
  ]);
});

test('an overload error has a Retry-After header', async () => {
  const { send } = await serve(sampleGraph());
  expect((await send('GET /v1/busy')).headers.get('retry-after')).toBe('7');
});

test('a HEAD request gets the response of GET without the body', async () => {
  const { send } = await serve(sampleGraph([tournament]));
  const head = await send('HEAD /v1/data/tournaments/t1', { as: 'P' });
  const get = await send('GET /v1/data/tournaments/t1', { as: 'P' });
  expect({ status: head.status, body: head.text, length: head.headers.get('content-length') }).toEqual({
    status: 200,
    body: '',
    length: get.headers.get('content-length'),
  });
});

test('request IDs are unique integers', async () => {
  const { send } = await serve(sampleGraph());
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => Number((await send('GET /v1/broken')).headers.get('x-request-id'))),
  );
  expect(new Set(ids).size).toBe(20);
  expect(ids.filter((id) => !Number.isSafeInteger(id))).toEqual([]);
});
