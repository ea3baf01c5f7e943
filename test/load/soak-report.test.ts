import { expect, test } from 'vitest';
import { chartOf, growthOf, type IntervalStats } from './soak/report.js';

const steady: IntervalStats = {
  answers: 1000,
  p50: 4,
  p99: 60,
  resident: 300,
  files: 40,
  handles: 40,
  listeners: 20,
  connections: 8,
};

/** Returns the samples of ten minutes, one for every ten seconds. */
const samplesWith = (change: (index: number) => Partial<IntervalStats>) =>
  Array.from({ length: 60 }, (_, index) => ({ ...steady, ...change(index) }));

test.each<[string, (index: number) => Partial<IntervalStats>]>([
  ['a steady process', () => ({})],
  ['a peak of one sample', (index) => (index === 50 ? { p99: 4000, resident: 900, handles: 400 } : {})],
  ['a lower first minute', (index) => (index < 6 ? { resident: 150 } : {})],
])('%s is not reported as growth', (_, change) => {
  expect(growthOf(samplesWith(change), 10)).toEqual([]);
});

test('too few samples are reported instead of growth', () => {
  expect(growthOf(samplesWith(() => ({})).slice(0, 11), 10)).toEqual(['the run was too short to detect growth']);
});

test.each([
  ['resident MB grew', (index: number) => ({ resident: 300 + 2 * index })],
  ['p50 ms grew', (index: number) => ({ p50: 4 + index / 5 })],
  ['p99 ms grew', (index: number) => ({ p99: 60 + 3 * index })],
  ['open files grew', (index: number) => ({ files: 40 + Math.floor(index / 4) })],
  ['handles grew', (index: number) => ({ handles: 40 + Math.floor(index / 4) })],
  ['listeners grew', (index: number) => ({ listeners: 20 + Math.floor(index / 20) })],
  ['connections grew', (index: number) => ({ connections: 8 + Math.floor(index / 8) })],
])('"%s" is reported', (message, change) => {
  expect(growthOf(samplesWith(change), 10)).toEqual([expect.stringContaining(message)]);
});

test('a chart has a line of at most sixty columns for each metric', () => {
  const lines = chartOf(
    Array.from({ length: 360 }, () => steady),
    10,
  ).split('\n');
  expect(lines).toHaveLength(8);
  expect(lines[0]).toMatch(/^requests\/s {3}█{60} {2}100 – 100 – 100$/);
});
