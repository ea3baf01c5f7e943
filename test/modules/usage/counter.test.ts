import { expect, test } from 'vitest';
import type { Caller } from '../../../src/kernel/declare/policy/caller.js';
import { maxShadowEntries, ShadowCounter } from '../../../src/modules/usage/shadow-counter.js';
import { maxCounters, maxPairs, maxTotalPairs, UsageCounter } from '../../../src/modules/usage/usage-counter.js';

const anonymousCaller: Caller = { platform: null, key: null, user: null, rejected: false };
const platform = (id: number): Caller => ({ ...anonymousCaller, platform: { id: `platform-${id}`, name: '' } });
const userOf = (id: number, user: number): Caller => ({
  ...platform(id),
  user: { id: `user-${user}`, name: '', isSuperAdmin: false, roles: new Set() },
});
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

test('platforms beyond the limit are counted together, without losing calls', () => {
  const counter = new UsageCounter();
  for (let call = 0; call < maxCounters + 500; call += 1) counter.add('GET /v1/data/teams', platform(call), 200, call, 1);
  // The limit also applies to a second route of platforms that already have a count.
  for (let call = 0; call < 1000; call += 1) counter.add('GET /v1/data/news', platform(call), 404, call, 1);
  counter.add('GET /v1/data/teams', platform(0), 200, 0, 1);
  counter.add('GET /v1/data/teams', null, 401, 0, 1);
  const usage = counter.drain();
  const callsOf = (kind: string, path: string) =>
    sum((usage?.routes ?? []).flatMap(({ caller, route, calls }) => (caller === kind && route.endsWith(path) ? [calls] : [])));
  expect({
    entries: usage?.routes.length,
    calls: usage?.calls,
    platforms: { teams: callsOf('PLATFORM', 'teams'), news: callsOf('PLATFORM', 'news') },
    others: { teams: callsOf('OTHERS', 'teams'), news: callsOf('OTHERS', 'news') },
    anonymous: callsOf('ANONYMOUS', 'teams'),
  }).toEqual({
    entries: maxCounters + 3,
    calls: maxCounters + 1502,
    platforms: { teams: maxCounters + 1, news: 0 },
    others: { teams: 500, news: 1000 },
    anonymous: 1,
  });
  expect(counter.drain()).toBeNull();
});

test('platforms are counted separately again after the counter is drained', () => {
  const counter = new UsageCounter();
  for (let call = 0; call <= maxCounters; call += 1) counter.add('GET /v1/data/teams', platform(call), 200, call, 1);
  counter.drain();
  counter.add('GET /v1/data/teams', platform(maxCounters + 1), 200, 0, 1);
  expect(counter.drain()?.routes.map(({ caller }) => caller)).toEqual(['PLATFORM']);
});

/** Counts one call to each of two routes by one user. Each user calls a different pair of routes. */
function callPair(counter: UsageCounter, platformId: number, user: number): void {
  const [first, second] = [user % 60, 60 + Math.floor(user / 60)];
  for (const route of [first, second]) counter.add(`GET /v1/data/${route}`, userOf(platformId, user), 200, user, 1);
}

test('the number of route pairs is limited for each platform and for all together', () => {
  const ofOnePlatform = new UsageCounter();
  for (let user = 0; user < 2 * maxPairs; user += 1) callPair(ofOnePlatform, 0, user);
  const ofAllPlatforms = new UsageCounter();
  const platforms = maxTotalPairs / maxPairs + 10;
  for (let id = 0; id < platforms; id += 1) for (let user = 0; user < maxPairs; user += 1) callPair(ofAllPlatforms, id, user);
  const [one, all] = [ofOnePlatform.drain(), ofAllPlatforms.drain()];
  expect({ pairsOfOne: one?.pairs.length, pairsOfAll: all?.pairs.length, callsOfOne: one?.calls }).toEqual({
    pairsOfOne: maxPairs,
    pairsOfAll: maxTotalPairs,
    callsOfOne: 4 * maxPairs,
  });
});

test('the number of shadow read entries is limited, without losing reads', () => {
  const counter = new ShadowCounter();
  const differences = (index: number) => [{ kind: 'value', path: `results[].${index}` }];
  for (let read = 0; read < 2 * maxShadowEntries; read += 1)
    counter.add('GET /v1/data/teams', platform(read), 'different', differences(read));
  const usage = counter.drain();
  expect({
    entries: usage?.reads.length,
    differences: usage?.differences.length,
    differentReads: sum(usage?.reads.map(({ different }) => different) ?? []),
    lastCaller: usage?.reads.at(-1)?.caller,
    takenAgain: counter.drain(),
  }).toEqual({
    entries: maxShadowEntries + 1,
    differences: maxShadowEntries,
    differentReads: 2 * maxShadowEntries,
    lastCaller: 'OTHERS',
    takenAgain: null,
  });
});
