import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { expectGolden, type Golden, goldenName, goldenNames, isMatching, play } from '../../support/checks/golden.js';
import { sampleGraph } from './sample-graph.js';
import { serve } from './server.js';

const tokens = { platform: 'P', user: 'U', admin: 'S' };
const playOnce = async (golden: Golden) => (await play(golden, await host())).played;
const host = async () => ({ url: (await serve(sampleGraph())).url, tokens, ids: { user: 'u1', admin: 's1' } });
const id = '0190a5d8-0000-7000-8000-000000000001';
const create = { method: 'POST', path: '/v1/shaped', as: 'none' as const, body: { uuid: id, title: 'Open', count: 3 } };
const read: Golden = { before: [create], request: { method: 'GET', path: '/v1/optional/$0.shaped.uuid', as: 'none' } };
const missing: Golden = { request: { method: 'GET', path: '/v1/data/tournaments/t9', as: 'platform' } };
const error = { Code: 404, Message: 'there is no such record', Timestamp: '<number>', RequestId: '<number>' };

test('a golden file is named after its operation', () =>
  expect(goldenName('GET', '/v1/data/teams/{uuid}')).toBe('GET_v1_data_teams_{uuid}'));

test('a request refers to earlier responses', async () =>
  expect((await playOnce(read)).response).toEqual({ status: 200, body: { valid: true } }));

test('a reference in a body is resolved with its type, and stays in the expected response', async () => {
  const update: Golden = {
    before: [create],
    request: {
      method: 'POST',
      path: '/v1/shaped',
      as: 'none',
      body: { uuid: '$0.shaped.uuid', title: 'No. $0.shaped.count', tags: 'a' },
    },
    response: { status: 201, body: { shaped: { uuid: '$0.shaped.uuid' } } },
  };
  expect((await playOnce(update)).response?.body).toMatchObject({
    shaped: { uuid: '$0.shaped.uuid', title: 'No. 3', tags: 'a' },
  });
});

test('$user is replaced by the ID of the user, and an unknown reference is left unchanged', async () => {
  const golden: Golden = {
    request: { method: 'GET', path: '/v1/users/$user/seen', as: 'user', headers: { Browser: '$user for $10' } },
  };
  expect((await playOnce(golden)).response).toEqual({ status: 200, body: { id: 'u1 for $10' } });
});

test('a new golden file has placeholders for values that the server generates', async () =>
  expect((await playOnce(missing)).response).toEqual({ status: 404, body: error }));

test('a placeholder is replaced by the actual value if they do not match', async () => {
  const mismatch: Golden = { ...missing, response: { status: 404, body: { ...error, Timestamp: '<uuid>', Message: '<text>' } } };
  expect((await playOnce(mismatch)).response?.body).toEqual({
    ...error,
    Timestamp: expect.any(Number),
    Message: '<text>',
  });
});

test('an earlier request that fails is reported with its index and status', async () =>
  expect(play({ ...read, before: [missing.request] }, await host())).rejects.toThrow(
    'before[0], GET /v1/data/tournaments/t9, returned 404',
  ));

test('a golden file that matches is not rewritten, regardless of the layout of its file', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'golden-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'GET_x.json');
  const text = JSON.stringify({ response: { status: 404, body: error }, ...missing });
  writeFileSync(file, text);
  await expectGolden(directory, 'GET_x', await host());
  expect({ names: goldenNames(directory), file: readFileSync(file, 'utf8') }).toEqual({ names: ['GET_x'], file: text });
});

test.for<[string, Golden]>([
  ['without a response', missing],
  ['with another status', { ...missing, response: { status: 200, body: error } }],
  ['with another value', { ...missing, response: { status: 404, body: { ...error, Message: 'x' } } }],
  [
    'with another order of keys',
    { ...missing, response: { status: 404, body: Object.fromEntries(Object.entries(error).toReversed()) } },
  ],
  ['with an extra key', { ...missing, response: { status: 404, body: { ...error, More: null } } }],
])('a golden file %s does not match', async ([, golden]) => expect(isMatching(golden, await playOnce(golden))).toBe(false));
