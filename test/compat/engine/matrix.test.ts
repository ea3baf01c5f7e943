import { expect, test } from 'vitest';
import { rejectedRequests, responseChecker } from '../matrix.js';
import { row, sampleGraph } from './sample-graph.js';
import { sampleRecords, sampleRoutes } from './sample-tables.js';
import { serve } from './server.js';

const tokens = { platform: 'P', user: 'U', admin: 'S' };
const cases = rejectedRequests([sampleRoutes], { tokens });

test('rejectedRequests lists every kind of rejected caller of a route', () =>
  expect(cases.filter(({ path }) => path === '/v1/users/uuid/seen').map(({ title }) => title)).toEqual(
    ['GET', 'POST'].flatMap((method) =>
      [
        'no token returns 401',
        'an unknown platform token returns 401',
        'an unknown user token returns 401',
        'an unknown user token and a platform token returns 401',
        "another user's token returns 403",
      ].map((rejection) => `${method} /v1/users/{uuid}/seen with ${rejection}`),
    ),
  ));

test('the sample routes reject every listed caller', async () => {
  const { url } = await serve(sampleGraph());
  const statuses = await Promise.all(
    cases.map(async ({ method, path, headers }) => (await fetch(url + path, { method, headers })).status),
  );
  expect(cases.map(({ title }, index) => `${title}: ${statuses[index]}`)).toEqual(
    cases.map(({ title, status }) => `${title}: ${status}`),
  );
});

const check = responseChecker(sampleGraph().schema, [sampleRoutes], sampleRecords);

test.for([
  ['GET', '/v1/data/tournaments/{uuid}', '/v1/data/tournaments/t1'],
  ['GET', '/v1/data/tournaments', '/v1/data/tournaments'],
  ['GET', '/v1/data/tournaments', '/v1/data/tournaments?tournament_uuid=t1'],
  ['GET', '/v1/data/places', '/v1/data/places'],
  ['GET', '/v1/data/some_tournaments', '/v1/data/some_tournaments'],
  ['DELETE', '/v1/tournaments/{uuid}', '/v1/tournaments/t1'],
] as const)('the response of %s %s matches its tables: %s', async ([method, path, url]) => {
  const { send } = await serve(sampleGraph([row('t1', { approvals: [{ bodyId: 'b', status: null }] })]));
  const { status, body } = await send(`${method} ${url}`, { as: 'P' });
  expect(check(method, path, status, body)).toBe(null);
});

test.for<[unknown, string]>([
  [{ places: [{ City: 'Austin', Latitude: 1 }] }, 'body/places/0/Latitude must be string'],
  [{ places: [{ City: 'Austin' }] }, "body/places/0 must have required property 'Latitude'"],
  [{ places: [], total: 1 }, 'body must NOT have additional properties'],
])('reports the mismatch of %j', ([body, problem]) => expect(check('GET', '/v1/data/places', 200, body)).toContain(problem));
