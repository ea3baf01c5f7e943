import { expect, test } from 'vitest';
import { type ComparedResponse, differencesOf, type Outcome } from '../../src/replay/comparison/compare-responses.js';
import { type Difference, isNoise } from '../../src/replay/comparison/differences.js';

const json = { 'content-type': 'application/json' };
const answer = (body: string, more: Partial<ComparedResponse> = {}): Outcome => ({
  status: 200,
  headers: json,
  body: Buffer.from(body),
  origin: 'http://a',
  ...more,
});
const summariesOf = (differences: readonly Difference[]) =>
  differences.map(({ kind, path }) => (path ? `${kind} at ${path}` : kind));
const between = (oldBody: string, newBody: string) => summariesOf(differencesOf(answer(oldBody), answer(newBody)));

test.each<[string, string, string[]]>([
  ['{"a":1}', '{"a":1}', []],
  ['{"a":1}', '{ "a": 1 }', ['whitespace']],
  ['{"a": 1}', '{"a" :1}', ['whitespace']],
  ['{"a":1,"b":2}', '{"a":1}', ['missing key at b']],
  ['{"a":1}', '{"a":1,"b":2}', ['extra key at b']],
  ['{"a":{"b":[{"c":1}]}}', '{"a":{"b":[{"c":2}]}}', ['value at a.b[].c']],
  ['{"a":1,"b":2}', '{"b":2,"a":1}', ['key order']],
  ['{"2":0,"1":0}', '{"1":0,"2":0}', ['key order']],
  ['{"a":1}', '{"a":1.0}', ['number form at a']],
  ['{"a":100}', '{"a":1e2}', ['number form at a']],
  ['{"a":"/"}', '{"a":"\\/"}', ['text form at a']],
  ['{"a":1}', '{"a":"1"}', ['type at a']],
  ['{"a":null}', '{"a":""}', ['type at a']],
  ['{"a":[]}', '{"a":{}}', ['type at a']],
  ['{"a":[1,2]}', '{"a":[2,1]}', ['array order at a']],
  ['{"a":[1,2]}', '{"a":[1]}', ['array length at a']],
  ['[{"uuid":"x","n":1},{"uuid":"y","n":2}]', '[{"uuid":"y","n":2},{"uuid":"x","n":1}]', ['array order']],
  ['[{"uuid":"x","n":1},{"uuid":"y","n":2}]', '[{"uuid":"y","n":3},{"uuid":"x","n":1}]', ['array order', 'value at [].n']],
  ['[{"uuid":"x","n":1}]', '[{"uuid":"z","n":1}]', ['value at [].uuid']],
  ['[{"uuid":"x","n":1},{"uuid":"y","n":2}]', '[{"uuid":"y","n":2},{"uuid":"z","n":3}]', ['value at [].uuid']],
  ['["x","y"]', '["x","z"]', ['value at []']],
  ['[{"n":1},{"n":2}]', '[{"n":1}]', ['array length']],
  ['{"a":1,"a":2}', '{"a":1}', ['missing key at a (2)']],
  ['a\\"b', 'a\\"c', ['body']],
  ['{"a":"\\\\"}', '{"a":"\\""}', ['value at a']],
  ['{"a":1}', '{"a":1', ['body']],
  ['', '{}', ['body']],
])('%s and %s differ in %o', (oldBody, newBody, kinds) => expect(between(oldBody, newBody)).toEqual(kinds));

test('very deeply nested bodies are compared as text', () => {
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(between(deep(100_000), deep(100_001))).toEqual(['body']);
});

test('headers that are significant to clients are compared, and other headers are not', () => {
  const differences = differencesOf(
    answer('{}', {
      headers: { ...json, location: 'http://a/x', 'cache-control': 'no-store', allow: 'GET, PUT', etag: '1' },
    }),
    answer('{}', {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        location: 'http://b/x',
        'cache-control': 'private, max-age=60, no-cache',
        allow: 'PUT,GET',
        link: '<x>',
      },
      origin: 'http://b',
    }),
  );
  expect(summariesOf(differences)).toEqual(['header at content-type', 'header at cache-control']);
});

test('responses with different statuses have no other differences', () => {
  expect(summariesOf(differencesOf(answer('{}'), answer('[]', { status: 404 })))).toEqual(['status']);
});

test('timestamps and request IDs of errors are compared only by type', () => {
  const error = (more: string) => answer(`{"Code":404,"Message":"no","Timestamp":${more}}`, { status: 404 });
  const betweenErrors = (oldMore: string, newMore: string) => summariesOf(differencesOf(error(oldMore), error(newMore)));
  expect({
    otherValuesInError: betweenErrors('1,"RequestId":7', '2,"RequestId":8'),
    otherTypeInError: betweenErrors('1', '"1"'),
    otherValueInData: between('{"Timestamp":1}', '{"Timestamp":2}'),
  }).toEqual({
    otherValuesInError: [],
    otherTypeInError: ['type at Timestamp'],
    otherValueInData: ['value at Timestamp'],
  });
});

test('a missing response is a difference, even if both are missing', () => {
  const none = { failure: 'refused the connection' };
  expect({ bothMissing: differencesOf(none, none), newMissing: differencesOf(answer('{}'), none) }).toEqual({
    bothMissing: [{ kind: 'no answer', path: '', old: 'refused the connection', new: 'refused the connection' }],
    newMissing: [{ kind: 'no answer', path: '', old: '200', new: 'refused the connection' }],
  });
});

test.each<[Pick<Difference, 'kind' | 'path'>, Pick<Difference, 'kind' | 'path'>, boolean]>([
  [{ kind: 'value', path: 'a.b' }, { kind: 'value', path: 'a.b' }, true],
  [{ kind: 'type', path: 'a.b' }, { kind: 'value', path: 'a.b' }, true],
  [{ kind: 'value', path: 'a.b.c' }, { kind: 'type', path: 'a.b' }, true],
  [{ kind: 'value', path: 'a.bc' }, { kind: 'value', path: 'a.b' }, false],
  [{ kind: 'value', path: 'a[].b' }, { kind: 'array order', path: 'a' }, false],
  [{ kind: 'array order', path: 'a' }, { kind: 'array order', path: 'a' }, true],
  [{ kind: 'array length', path: 'a' }, { kind: 'array order', path: 'a' }, false],
  [{ kind: 'key order', path: '' }, { kind: 'value', path: 'a' }, false],
  [{ kind: 'status', path: '' }, { kind: 'value', path: '' }, false],
])('difference %o with known noise %o is noise: %s', (difference, noise, expected) =>
  expect(isNoise(difference, [noise])).toBe(expected),
);
