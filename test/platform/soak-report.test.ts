import { expect, test } from 'vitest';
import { chartOf, growthOf, type Seen } from '../soak/report.js';

const steady: Seen = { answers: 1000, p50: 4, p99: 60, resident: 300, files: 40, handles: 40, listeners: 20, connections: 8 };

/** Ten minutes, an interval of ten seconds each. */
const seenAs = (change: (at: number) => Partial<Seen>) => Array.from({ length: 60 }, (_, at) => ({ ...steady, ...change(at) }));

test('what stays as it is, or is high for a moment only, has not grown', () => {
  expect(
    growthOf(
      seenAs(() => ({})),
      10,
    ),
  ).toEqual([]);
  expect(
    growthOf(
      seenAs((at) => (at === 50 ? { p99: 4000, resident: 900, handles: 400 } : {})),
      10,
    ),
  ).toEqual([]);
  // The first minute does not count.
  expect(
    growthOf(
      seenAs((at) => (at < 6 ? { resident: 150 } : {})),
      10,
    ),
  ).toEqual([]);
});

test('of too little nothing can be told', () => {
  expect(growthOf(seenAs(() => ({})).slice(0, 11), 10)).toEqual(['too little was seen to tell what grew']);
});

test.each([
  ['resident MB grew', (at: number) => ({ resident: 300 + 2 * at })],
  ['p50 ms grew', (at: number) => ({ p50: 4 + at / 5 })],
  ['p99 ms grew', (at: number) => ({ p99: 60 + 3 * at })],
  ['open files grew', (at: number) => ({ files: 40 + Math.floor(at / 4) })],
  ['handles grew', (at: number) => ({ handles: 40 + Math.floor(at / 4) })],
  ['listeners grew', (at: number) => ({ listeners: 20 + Math.floor(at / 20) })],
  ['connections grew', (at: number) => ({ connections: 8 + Math.floor(at / 8) })],
])('%s is told', (told, change) => {
  expect(growthOf(seenAs(change), 10)).toEqual([expect.stringContaining(told)]);
});

test('a chart has a line for each figure, of at most sixty columns', () => {
  const lines = chartOf(
    Array.from({ length: 360 }, () => steady),
    10,
  ).split('\n');
  expect(lines).toHaveLength(8);
  expect(lines[0]).toMatch(/^requests\/s {3}█{60} {2}100 – 100 – 100$/);
});
