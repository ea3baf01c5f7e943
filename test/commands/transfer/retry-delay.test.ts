import { expect, test } from 'vitest';
import { delayOf } from '../../../src/transfer/download/client.js';

const asksFor = (retryAfter: string) => new Response(null, { status: 429, headers: { 'Retry-After': retryAfter } });

test.each([
  ['Retry-After, in seconds', asksFor('45'), 45_000],
  ['an hour, if Retry-After is longer', asksFor('86400'), 3_600_000],
  ['half a second before the second attempt, without Retry-After', null, 500],
])('a download waits for %s', (_, response, delay) => expect(delayOf(response, 0)).toBe(delay));

test('a download doubles the delay up to half a minute without Retry-After', () =>
  expect([1, 5, 6, 20].map((attempt) => delayOf(null, attempt))).toEqual([1_000, 16_000, 30_000, 30_000]));
