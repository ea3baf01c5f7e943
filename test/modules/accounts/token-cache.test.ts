import { expect, test } from 'vitest';
import { TokenCache } from '../../../src/modules/accounts/tokens/token-cache.js';

test('the cache stores valid tokens, but no unknown ones, until it is cleared', async () => {
  const lookups: string[] = [];
  const cache = new TokenCache(async (token) => {
    lookups.push(token);
    return token === 'unknown' ? null : { token };
  });
  const valid = await cache.get('a');
  const validFromCache = await cache.get('a');
  const unknown = await cache.get('unknown');
  const unknownSecondTime = await cache.get('unknown');
  cache.clear();
  const validAfterClearing = await cache.get('a');
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
  const cache = new TokenCache(async () => {
    const result = results.shift() ?? null;
    if (result) await lookupFinished;
    return result;
  });
  const inFlight = cache.get('token');
  cache.clear();
  finishLookup();
  expect({ inFlight: await inFlight, next: await cache.get('token') }).toEqual({ inFlight: { alive: true }, next: null });
});
