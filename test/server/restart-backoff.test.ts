import { expect, test } from 'vitest';
import { defaultRestartPolicy, nextDelay } from '../../src/server/lifecycle/supervise.js';

function pausesAfter(...lifetimes: number[]): number[] {
  let pause: number | null = null;
  return lifetimes.map((lifetime) => (pause = nextDelay(lifetime, pause, defaultRestartPolicy)));
}

test('the pause doubles with each short lifetime, up to half a minute', () => {
  expect(pausesAfter(...Array<number>(9).fill(10))).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test('a long lifetime resets the pause to its minimum', () => {
  expect(pausesAfter(10, 10, 10, 60_000, 10)).toEqual([500, 1000, 2000, 500, 1000]);
});
