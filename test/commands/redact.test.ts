import { expect, test } from 'vitest';
import { legacyRecords } from '../../compat/index.js';
import { progressOf } from '../../src/commands/replay/progress.js';
import { redaction } from '../../src/commands/traffic/redact.js';
import { columnsOf, findRecord, metaOf } from '../../src/kernel/declare/meta.js';
import { modules } from '../../src/modules/index.js';

const written = (body: string, type = 'application/json', route: string | null = null) =>
  redaction().body(Buffer.from(body), type, route);

test.each(['text/plain; charset=iso-8859-1', 'application/x-www-form-urlencoded', ''])(
  'what is no UTF-8 is not written, whose addresses would not be found: %o',
  (type) => {
    const body = Buffer.from('name=Ren\xe9&email=rene@example.com', 'latin1');
    expect(redaction().body(body, type, null)).toEqual({ leftOut: 'it is no valid UTF-8' });
  },
);

/** Fields of `/v1` that the graph shows to few, or that go with the person. */
const marked = legacyRecords.flatMap(({ name, fields, keys, paths = {}, type = '' }) => {
  const record = findRecord(type);
  const columns = record ? columnsOf(metaOf(record)) : new Map();
  return fields.flatMap((field): [string, string][] => {
    const path = paths[field] ?? keys(field);
    const meta = columns.get(typeof path === 'string' ? path : path.read)?.field;
    return meta?.private || meta?.personal || meta?.mentions ? [[name, field]] : [];
  });
});

test('there are fields to look at', () => expect([modules.length > 5, marked.length]).toEqual([true, expect.any(Number)]));
test.each(marked)('of %s the field %s is not written', (_, field) => {
  const value = 'a-Value-of-1990-05-01';
  expect(written(JSON.stringify({ results: [{ [field]: value }], more: { [field]: [value] } })).text).not.toContain('a-Value');
});

test('what stays is as it is written, and numbers stay numbers', () => {
  const body =
    '{ "seed" : 1.50, "b":[ "\\u00e9", 1e2 ],\n"zip":78701, "z":{"email": "", "phone":null, "dob": "1990-05-01T00:00:00Z"}, "a": true }';
  expect(written(body).text).toBe(body.replace('78701', '1').replace('1990-05-01', '1900-01-01'));
});

test.each<[string, string, string | null, object]>([
  [
    '{"name":"Ana","details":"x y"}',
    'application/json',
    'POST /v1/pub/contactus',
    { text: '{"name":"Name1","details":"redacted 1"}' },
  ],
  ['{"name":"Formats"}', 'application/json', 'GET /v1/data/lookup_formats', { text: '{"name":"Formats"}' }],
  [
    '{"html":"<a href=\\"https://x.example/?token=abc-1&a=1\\">"}',
    'application/json',
    null,
    { text: '{"html":"<a href=\\"https://x.example/?token=redacted-secret-1&a=1\\">"}' },
  ],
  [
    '{"query":"mutation { login(input: { email: \\"a@b.example\\", password: \\"pass-word\\" }) { token } }"}',
    'application/json',
    null,
    {
      text: '{"query":"mutation { login(input: { email: \\"redacted-1@redacted.example\\", password: \\"redacted-secret-1\\" }) { token } }"}',
    },
  ],
  [
    'email=a%40b.example&page=1&password=p+w',
    'application/x-www-form-urlencoded',
    null,
    {
      text: 'email=redacted-1%40redacted.example&page=1&password=redacted-secret-1',
    },
  ],
  [
    '{"query":"mutation { login(input: { email: \\"a@b.example\\", password: \\"\\"\\"pass\\n\\"word\\"\\"\\" }) { token } }"}',
    'application/json',
    null,
    {
      text: '{"query":"mutation { login(input: { email: \\"redacted-1@redacted.example\\", password: \\"redacted-secret-1\\" }) { token } }"}',
    },
  ],
  [
    '{"payload":"{\\"seed\\" : 1.50, \\"password\\":\\"pass-word\\"}"}',
    'application/json',
    null,
    { text: '{"payload":"{\\"seed\\" : 1.50, \\"password\\":\\"redacted-secret-1\\"}"}' },
  ],
  [
    'filter=%7B%22phone%22%3A%22%2B14155550199%22%7D&page=%7B1',
    'application/x-www-form-urlencoded',
    null,
    { text: 'filter=%7B%22phone%22%3A%22%2B15550000001%22%7D&page=%7B1' },
  ],
  ['{"password":"cut', 'application/json', null, { leftOut: 'it is no valid JSON' }],
  [' {"password":"cut', 'text/plain', null, { leftOut: 'it is no valid JSON' }],
  ['--x\r\npassword', 'multipart/form-data; boundary=x', null, { leftOut: 'it is a form of several parts' }],
  ['mail to a@b.example', 'text/plain', null, { text: 'mail to redacted-1@redacted.example' }],
  ['', 'application/json', null, {}],
])('%s of %s at %s', (body, type, route, expected) => expect(written(body, type, route)).toEqual(expected));

test.each([
  ['GET', '/v1/data/user-email-lookup/ana%40example.com', '/v1/data/user-email-lookup/redacted-1%40redacted.example'],
  ['GET', '//v1/pub/validate_email/abc/', '//v1/pub/validate_email/redacted-secret-1/'],
  [
    'GET',
    '/v1/sso/validate_url/123456?email=a@b.example',
    '/v1/sso/validate_url/redacted-secret-1?email=redacted-1%40redacted.example',
  ],
  ['GET', '/old/reset/123456/x', '/old/reset/redacted-secret-1/x'],
  [
    'GET',
    '/v1/data/teams/944688ed-a116-4a44-a7c7-c7b611127e41?page_size=%31',
    '/v1/data/teams/944688ed-a116-4a44-a7c7-c7b611127e41?page_size=%31',
  ],
  ['GET', '/v1/data/teams?broken=%E0%A4&token=x', '/v1/data/teams?broken=%E0%A4&token=redacted-user-1'],
])('%s %s is written as %s', (method, url, expected) => expect(redaction().url(url, method)).toBe(expected));

test('what is known to be secret is in no text that follows', () => {
  const redact = redaction();
  const texts = ['{"password":"a-long-secret"}', '{"title":"with a-long-secret in it","a-long-secret":null}'];
  expect(texts.map((text) => redact.body(Buffer.from(text), 'application/json', null).text)).toEqual([
    '{"password":"redacted-secret-1"}',
    '{"title":"with redacted-secret-1 in it","redacted-secret-1":null}',
  ]);
});

test.each([
  ['a@b.example,c@d.example;e@f.example', 'redacted-1@redacted.example,redacted-2@redacted.example;redacted-3@redacted.example'],
  ["ana@b.example-ben@c.example'dora@d.example", /^[^@]*@redacted\.example[^@]*@redacted\.example[^@]*@redacted\.example$/],
  ['https://x.example/?u%3Dana.lee%40b.example%26a', 'https://x.example/?u%3Dredacted-1%40redacted.example%26a'],
  ['Jörg.Müller@bücher.example', 'redacted-1@redacted.example'],
  ['@home and a@b and 5 @ 3.50', '@home and a@b and 5 @ 3.50'],
])('the addresses in %s are not written', (text, expected) => {
  const told = redaction().text(text);
  expect(told).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  expect(told).not.toMatch(/ana|ben|dora|rg@|lee/i);
});

test.each([
  ['letters', 'a'.repeat(2 ** 22)],
  ['letters behind a sign', `@${'a'.repeat(2 ** 21)}@${'a.'.repeat(2 ** 20)}`],
  ['a document of one word', JSON.stringify({ query: 'a'.repeat(2 ** 22) })],
])('megabytes of %s take no minutes', (_, body) => {
  const begin = performance.now();
  written(body, 'text/plain');
  written(JSON.stringify({ title: body }));
  expect(performance.now() - begin).toBeLessThan(10_000);
});

test('headers: tokens keep their scheme, keys are told from tokens, cookies go', () => {
  const headers = {
    Authorization: 'Bearer abcdefgh1',
    'PB-API-TOKEN': 'pk_12345678',
    'Set-Cookie': 'a=b; Path=/',
    Accept: '*/*',
    'Idempotency-Key': 'k-1',
    Referer: 'https://a.example/?code=4711',
  };
  const pairs = Object.entries(headers).map(([name, value]) => ({ name, value }));
  expect(
    redaction()
      .headers(pairs)
      .map(({ value }) => value),
  ).toEqual([
    'Bearer redacted-user-1',
    'redacted-key-1',
    'redacted-secret-1',
    '*/*',
    'k-1',
    'https://a.example/?code=redacted-secret-2',
  ]);
});

test('on a terminal a bar moves', () => {
  const told: string[] = [];
  const progress = progressOf(2, { isTTY: true, write: (text) => told.push(text) });
  progress(1);
  progress(2);
  expect(told).toEqual([`\r${'█'.repeat(15)}${'░'.repeat(15)} 1/2`, `\r${'█'.repeat(30)} 2/2\n`]);
});
