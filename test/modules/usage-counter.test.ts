import { expect, test } from 'vitest';
import type { Caller } from '../../src/kernel/declare/caller.js';
import { mostShadowEntries, ShadowCounter } from '../../src/modules/usage/shadow-counter.js';
import { mostCounts, mostPairs, mostPairsOfAll, UsageCounter } from '../../src/modules/usage/usage-counter.js';

const nobody: Caller = { platform: null, key: null, user: null, rejected: false };
const platform = (id: number): Caller => ({ ...nobody, platform: { id: `platform-${id}`, name: '' } });
const userOf = (id: number, user: number): Caller => ({
  ...platform(id),
  user: { id: `user-${user}`, name: '', isSuperAdmin: false, roles: new Set() },
});
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

test('while nothing can be written, platforms beyond what is counted apart are counted as one, with every call', () => {
  const counter = new UsageCounter();
  for (let call = 0; call < mostCounts + 500; call += 1) counter.add('GET /v1/data/teams', platform(call), 200, call, 1);
  // Platforms that are known are no way around it.
  for (let call = 0; call < 1000; call += 1) counter.add('GET /v1/data/news', platform(call), 404, call, 1);
  counter.add('GET /v1/data/teams', platform(0), 200, 0, 1);
  counter.add('GET /v1/data/teams', null, 401, 0, 1);
  const counted = counter.take();
  const calls = (whose: string, of: string) =>
    sum((counted?.routes ?? []).flatMap(({ caller, route, calls }) => (caller === whose && route.endsWith(of) ? [calls] : [])));
  expect({
    entries: counted?.routes.length,
    calls: counted?.calls,
    platforms: [calls('PLATFORM', 'teams'), calls('PLATFORM', 'news')],
    others: [calls('OTHERS', 'teams'), calls('OTHERS', 'news')],
    anonymous: calls('ANONYMOUS', 'teams'),
  }).toEqual({
    entries: mostCounts + 3,
    calls: mostCounts + 1502,
    platforms: [mostCounts + 1, 0],
    others: [500, 1000],
    anonymous: 1,
  });
  expect(counter.take()).toBeNull();
});

test('after a writing, platforms are counted apart again', () => {
  const counter = new UsageCounter();
  for (let call = 0; call <= mostCounts; call += 1) counter.add('GET /v1/data/teams', platform(call), 200, call, 1);
  counter.take();
  counter.add('GET /v1/data/teams', platform(mostCounts + 1), 200, 0, 1);
  expect(counter.take()?.routes.map(({ caller }) => caller)).toEqual(['PLATFORM']);
});

/** Two routes that a user calls, others each time. */
function callTwo(counter: UsageCounter, of: number, user: number): void {
  const [first, second] = [user % 60, 60 + Math.floor(user / 60)];
  for (const route of [first, second]) counter.add(`GET /v1/data/${route}`, userOf(of, user), 200, user, 1);
}

test('of a platform, and of all, only so many pairs are kept between two writings', () => {
  const one = new UsageCounter();
  for (let user = 0; user < 2 * mostPairs; user += 1) callTwo(one, 0, user);
  const all = new UsageCounter();
  const platforms = mostPairsOfAll / mostPairs + 10;
  for (let of = 0; of < platforms; of += 1) for (let user = 0; user < mostPairs; user += 1) callTwo(all, of, user);
  const [ofOne, ofAll] = [one.take(), all.take()];
  expect([ofOne?.pairs.length, ofAll?.pairs.length, ofOne?.calls]).toEqual([mostPairs, mostPairsOfAll, 4 * mostPairs]);
});

test('what the old server answers otherwise is bounded as well, and no read is lost', () => {
  const counter = new ShadowCounter();
  const found = (of: number) => [{ kind: 'value', path: `results[].${of}` }];
  for (let read = 0; read < 2 * mostShadowEntries; read += 1)
    counter.add('GET /v1/data/teams', platform(read), 'different', found(read));
  const counted = counter.take();
  expect([
    counted?.reads.length,
    counted?.differences.length,
    sum(counted?.reads.map(({ different }) => different) ?? []),
    counted?.reads.at(-1)?.caller,
    counter.take(),
  ]).toEqual([mostShadowEntries + 1, mostShadowEntries, 2 * mostShadowEntries, 'OTHERS', null]);
});
