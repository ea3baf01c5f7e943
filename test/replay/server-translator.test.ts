import { describe, expect, test } from 'vitest';
import { replaceRecentTimestamps, ServerTranslator, tokensOf } from '../../src/replay/run/server-translator.js';
import { collectionOf } from '../../src/replay/run/short-ids.js';

const [recordedId, ownId] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'];

/** Returns a translator for a server that assigned its own IDs to the recorded category and the recorded team. */
function serverNames(tokens: [string, string][] = []): ServerTranslator {
  const names = new ServerTranslator(tokensOf(new Map(tokens), 'old'));
  names.firstWriteAt = Date.now();
  names.addId('16', '17', collectionOf('POST /v1/categories'));
  names.addId(recordedId, ownId, null);
  return names;
}

const requestTo = (path: string, body: string, type = 'application/json') => ({
  method: 'POST',
  path,
  headers: ['content-type', type, 'PB-USER-TOKEN', 'redacted-user-1'],
  body: Buffer.from(body),
  isRead: false,
});

describe('requests to a server', () => {
  const translate = (route: string, path: string, body: string) => {
    const request = serverNames().requestToServer(requestTo(path, body), route);
    return { path: request.path, body: String(request.body) };
  };

  test('numeric IDs are translated in the path and the body of a route of their collection', () => {
    expect(
      translate('PUT /v1/categories/{id}', '/v1/categories/16?page=16', '{"payload": {"id":"16","n":16 , "order":"16"}}'),
    ).toEqual({ path: '/v1/categories/17?page=16', body: '{"payload": {"id":"17","n":16 , "order":"16"}}' });
  });

  test('numeric IDs are translated only in references to their collection', () => {
    expect(translate('POST /v1/admin/news', '/v1/admin/news/16', '{"categoriesIds":["16","2"],"id":"16"}')).toEqual({
      path: '/v1/admin/news/16',
      body: '{"categoriesIds":["17","2"],"id":"16"}',
    });
  });

  test('UUIDs are translated everywhere', () => {
    expect(
      translate(
        'GET /v1/data/teams/{uuid}',
        `/v1/data/teams/${recordedId}?filter=%22${recordedId}%2C`,
        `{"a":"x ${recordedId}"}`,
      ),
    ).toEqual({ path: `/v1/data/teams/${ownId}?filter=%22${ownId}%2C`, body: `{"a":"x ${ownId}"}` });
  });

  test('tokens are replaced, and encoded as required in headers, paths, JSON and forms', () => {
    const names = serverNames([
      ['USER', 'a"b&c'],
      ['NEW_USER', 'other'],
    ]);
    const request = names.requestToServer(requestTo('/v1/redacted-user-1', '{"token":"redacted-user-1"}'), 'x');
    const form = names.requestToServer(requestTo('/', 'token=redacted-user-2&a=b', 'application/x-www-form-urlencoded'), 'x');
    expect({
      path: request.path,
      json: String(request.body),
      header: request.headers[3],
      form: String(form.body),
    }).toEqual({
      path: '/v1/a%22b%26c',
      json: '{"token":"a\\"b&c"}',
      header: 'a"b&c',
      form: 'token=a%22b%26c&a=b',
    });
  });
});

test('responses of a server get the recorded ids, and only current timestamps are replaced', () => {
  const { body, headers } = serverNames().responseToRecording(
    {
      status: 200,
      headers: { location: `/v1/data/teams/${ownId}` },
      body: Buffer.from(`{"id":"17", "at":"${new Date().toISOString()}","on":"2020-01-01T00:00:00Z","uuid":"${ownId}"}`),
      origin: 'http://old',
    },
    'GET /v1/data/categories/{id}',
  ) as { body: Buffer; headers: Record<string, string> };
  expect({ body: String(body), location: headers.location }).toEqual({
    body: `{"id":"16", "at":"now, as TZ","on":"2020-01-01T00:00:00Z","uuid":"${recordedId}"}`,
    location: `/v1/data/teams/${recordedId}`,
  });
});

test('the replacement of a current timestamp shows its format', () => {
  const now = new Date();
  const replace = (timestamp: string) => replaceRecentTimestamps(timestamp, Date.now());
  expect({
    zulu: replace(now.toISOString()),
    offset: replace(now.toISOString().replace('Z', '+00:00')),
    withoutZone: replace(now.toISOString().slice(0, 19).replace('T', ' ')),
  }).toEqual({ zulu: 'now, as TZ', offset: 'now, as T+00:00', withoutZone: 'now, as' });
});
