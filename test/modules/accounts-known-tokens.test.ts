import { expect, test } from 'vitest';
import { KnownTokens } from '../../src/modules/accounts/known-tokens.js';

test('the cache stores valid tokens, but no unknown ones, until it is cleared', async () => {
  const lookups: string[] = [];
  const cache = new KnownTokens(async (token) => {
    lookups.push(token);
    return token === 'unknown' ? null : { token };
  });
  const valid = await cache.of('a');
  const validFromCache = await cache.of('a');
  const unknown = await cache.of('unknown');
  const unknownSecondTime = await cache.of('unknown');
  cache.forget();
  const validAfterClearing = await cache.of('a');
  expect({ valid, validFromCache, unknown, unknownSecondTime, validAfterClearing, lookups }).toEqual({
    valid: { token: 'a' },
    validFromCache: { token: 'a' },
    unknown: null,
    unknownSecondTime: null,
    validAfterClearing: { token: 'a' },
    lookups: ['a', 'unknown', 'unknown', 'a'],
  });
});

test('a lookup that was in flight when the cache was cleared is not stored', async () => {
  const results = [{ alive: true }, null];
  let finishLookup = () => {};
  const lookupFinished = new Promise<void>((resolve) => {
    finishLookup = resolve;
  });
  const cache = new KnownTokens(async () => {
    const result = results.shift() ?? null;
    if (result) await lookupFinished;
    return result;
  });
  const inFlight = cache.of('token');
  cache.forget();
  finishLookup();
  expect({ inFlight: await inFlight, next: await cache.of('token') }).toEqual({ inFlight: { alive: true }, next: null });
});
