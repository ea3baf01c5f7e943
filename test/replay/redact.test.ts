import { expect, test } from 'vitest';
import { legacyRecords } from '../../compat/index.js';
import { columnsOf, findRecord, metaOf } from '../../src/kernel/declare/meta.js';
import { modules } from '../../src/modules/index.js';
import { createRedactor } from '../../src/replay/recording/redact.js';
import { createProgressReporter } from '../../src/replay/run/summary.js';

const redactBody = (body: string, type = 'application/json', route: string | null = null) =>
  createRedactor().body(Buffer.from(body), type, route);

test.each(['text/plain; charset=iso-8859-1', 'application/x-www-form-urlencoded', ''])(
  'a body of type %o that is not UTF-8 is omitted, because its addresses cannot be found',
  (type) => {
    const body = Buffer.from('name=Ren\xe9&email=rene@example.com', 'latin1');
    expect(createRedactor().body(body, type, null)).toEqual({ leftOut: 'not valid UTF-8' });
  },
);

/** `/v1` fields that are private, contain personal data or mention people, as pairs of record and field name. */
const personalFields = legacyRecords.flatMap(({ name, fields, keys, paths = {}, type = '' }) => {
  const record = findRecord(type);
  const columns = record ? columnsOf(metaOf(record)) : new Map();
  return fields.flatMap((field): [string, string][] => {
    const path = paths[field] ?? keys(field);
    const meta = columns.get(typeof path === 'string' ? path : path.read)?.field;
    return meta?.private || meta?.personal || meta?.mentionsPeople ? [[name, field]] : [];
  });
});

test('the modules declare personal fields', () => {
  expect(modules.length).toBeGreaterThan(5);
  expect(personalFields.length).toBeGreaterThan(0);
});

test.each(personalFields)('records of %s are written without %s', (_, field) => {
  const value = 'a-Value-of-1990-05-01';
  expect(redactBody(JSON.stringify({ results: [{ [field]: value }], more: { [field]: [value] } })).text).not.toContain('a-Value');
});

test('the redactor preserves formatting and the types of numbers', () => {
  const body =
    '{ "seed" : 1.50, "b":[ "\\u00e9", 1e2 ],\n"zip":78701, "z":{"email": "", "phone":null, "dob": "1990-05-01T00:00:00Z"}, "a": true }';
  expect(redactBody(body).text).toBe(body.replace('78701', '1').replace('1990-05-01', '1900-01-01'));
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
  ['{"password":"cut', 'application/json', null, { leftOut: 'not valid JSON' }],
  [' {"password":"cut', 'text/plain', null, { leftOut: 'not valid JSON' }],
  ['--x\r\npassword', 'multipart/form-data; boundary=x', null, { leftOut: 'multipart form' }],
  ['mail to a@b.example', 'text/plain', null, { text: 'mail to redacted-1@redacted.example' }],
  ['', 'application/json', null, {}],
])('redacts the body %s of type %s at %s', (body, type, route, expected) =>
  expect(redactBody(body, type, route)).toEqual(expected),
);

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
])('%s %s is written as %s', (method, url, expected) => expect(createRedactor().url(url, method)).toBe(expected));

test('a secret is redacted in all later texts', () => {
  const redact = createRedactor();
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
])('redacts the addresses in %s', (text, expected) => {
  const redacted = createRedactor().text(text);
  expect(redacted).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  expect(redacted).not.toMatch(/ana|ben|dora|rg@|lee/i);
});

test.each([
  ['letters', 'a'.repeat(2 ** 22)],
  ['letters between at signs', `@${'a'.repeat(2 ** 21)}@${'a.'.repeat(2 ** 20)}`],
  ['a document of one word', JSON.stringify({ query: 'a'.repeat(2 ** 22) })],
])('redacts megabytes of %s within ten seconds', (_, body) => {
  const startedAt = performance.now();
  redactBody(body, 'text/plain');
  redactBody(JSON.stringify({ title: body }));
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test.each([
  ['e-mail domain', `a@${'b.'.repeat(2 ** 22)}example`],
  ['token', 'a'.repeat(2 ** 23)],
])('redacts a text with millions of characters in one %s', (_, text) => {
  expect(redactBody(text, 'text/plain').text).toHaveLength(
    text.startsWith('a@') ? 'redacted-1@redacted.example'.length : text.length,
  );
});

test.each([
  ['characters', 'a'.repeat(2 ** 23)],
  ['escapes', '\\n'.repeat(2 ** 23)],
])('redacts a password of millions of %s in a GraphQL document', (_, password) => {
  const query = (value: string) => JSON.stringify({ query: `mutation { login(input: { password: "${value}" }) { token } }` });
  // Comparing the texts with `toBe` would print megabytes on failure.
  expect(redactBody(query(password)).text === query('redacted-secret-1')).toBe(true);
});

test('redacts only complete strings in a GraphQL document', () => {
  const query = 'a: "password: \\"x" password: "one" email : """a "b" c""" phone: "" token: "cut';
  expect(JSON.parse(redactBody(JSON.stringify({ query })).text ?? '').query).toBe(
    'a: "password: \\"x" password: "redacted-secret-1" email : "redacted-1@redacted.example" phone: "" token: "cut',
  );
});

test('redacted headers keep the scheme of tokens, distinguish keys from tokens and hide cookies', () => {
  const headers = {
    Authorization: 'Bearer abcdefgh1',
    'PB-API-TOKEN': 'pk_12345678',
    'Set-Cookie': 'a=b; Path=/',
    Accept: '*/*',
    'Idempotency-Key': 'k-1',
    Referer: 'https://a.example/?code=4711',
  };
  const pairs = Object.entries(headers).map(([name, value]) => ({ name, value }));
  const redacted = createRedactor().headers(pairs);
  expect(Object.fromEntries(redacted.map(({ name, value }) => [name, value]))).toEqual({
    Authorization: 'Bearer redacted-user-1',
    'PB-API-TOKEN': 'redacted-key-1',
    'Set-Cookie': 'redacted-secret-1',
    Accept: '*/*',
    'Idempotency-Key': 'k-1',
    Referer: 'https://a.example/?code=redacted-secret-2',
  });
});

test('a terminal shows progress as a bar', () => {
  const output: string[] = [];
  const progress = createProgressReporter(2, { isTTY: true, write: (text) => output.push(text) });
  progress(1);
  progress(2);
  expect(output).toEqual([`\r${'█'.repeat(15)}${'░'.repeat(15)} 1/2`, `\r${'█'.repeat(30)} 2/2\n`]);
});
