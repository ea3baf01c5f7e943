import { expect, test } from 'vitest';
import { collectionOf } from '../../src/commands/replay/counted-ids.js';
import { withoutNow } from '../../src/commands/replay/instants.js';
import { ServerNames } from '../../src/commands/replay/server-names.js';
import { tokensOf } from '../../src/commands/replay/tokens.js';

const [recorded, own] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'];

/** A server that made a category and a team, and was given tokens. */
function server(given: [string, string][] = []): ServerNames {
  const names = new ServerNames(tokensOf(new Map(given), 'old'));
  names.begun = Date.now();
  names.learn('16', '17', collectionOf('POST /v1/categories'));
  names.learn(recorded, own, null);
  return names;
}

const sent = (path: string, body: string, type = 'application/json') => ({
  method: 'POST',
  path,
  headers: ['content-type', type, 'PB-USER-TOKEN', 'redacted-user-1'],
  body: Buffer.from(body),
  isRead: false,
});

test('requests have the ids of the server wherever they stand, and short ones where they are of that collection', () => {
  const told = (route: string, path: string, body: string) => {
    const request = server().into(sent(path, body), route);
    return [request.path, String(request.body)];
  };
  expect([
    told('PUT /v1/categories/{id}', '/v1/categories/16?page=16', '{"payload": {"id":"16","n":16 , "order":"16"}}'),
    told('POST /v1/admin/news', '/v1/admin/news/16', '{"categoriesIds":["16","2"],"id":"16"}'),
    told('GET /v1/data/teams/{uuid}', `/v1/data/teams/${recorded}?filter=%22${recorded}%2C`, `{"a":"x ${recorded}"}`),
  ]).toEqual([
    ['/v1/categories/17?page=16', '{"payload": {"id":"17","n":16 , "order":"16"}}'],
    ['/v1/admin/news/16', '{"categoriesIds":["17","2"],"id":"16"}'],
    [`/v1/data/teams/${own}?filter=%22${own}%2C`, `{"a":"x ${own}"}`],
  ]);
});

test('tokens are those of the server, and stand in JSON, forms and paths as these want it', () => {
  const names = server([
    ['USER', 'a"b&c'],
    ['NEW_USER', 'other'],
  ]);
  const request = names.into(sent('/v1/redacted-user-1', '{"token":"redacted-user-1"}'), 'x');
  const form = names.into(sent('/', 'token=redacted-user-2&a=b', 'application/x-www-form-urlencoded'), 'x');
  expect([request.path, String(request.body), request.headers[3], String(form.body)]).toEqual([
    '/v1/a%22b%26c',
    '{"token":"a\\"b&c"}',
    'a"b&c',
    'token=a%22b%26c&a=b',
  ]);
});

test('answers have the ids of the file, and nothing of when they were made; what is of another time stays', () => {
  const { body, headers } = server().from(
    {
      status: 200,
      headers: { location: `/v1/data/teams/${own}` },
      body: Buffer.from(`{"id":"17", "at":"${new Date().toISOString()}","on":"2020-01-01T00:00:00Z","uuid":"${own}"}`),
      origin: 'http://old',
    },
    'GET /v1/data/categories/{id}',
  ) as { body: Buffer; headers: Record<string, string> };
  expect([String(body), headers.location]).toEqual([
    `{"id":"16", "at":"now, as TZ","on":"2020-01-01T00:00:00Z","uuid":"${recorded}"}`,
    `/v1/data/teams/${recorded}`,
  ]);
});

test('moments of another form are others', () => {
  const now = new Date();
  const forms = [now.toISOString(), now.toISOString().replace('Z', '+00:00'), now.toISOString().slice(0, 19).replace('T', ' ')];
  expect(forms.map((form) => withoutNow(form, Date.now()))).toEqual(['now, as TZ', 'now, as T+00:00', 'now, as']);
});
