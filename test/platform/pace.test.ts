import { expect, test } from 'vitest';
import { pauseAfter, usual } from '../../src/lifecycle/pace.js';

function pausesAfter(...lives: number[]): number[] {
  let pause: number | null = null;
  return lives.map((lived) => (pause = pauseAfter(lived, pause, usual)));
}

test('the pause doubles with each short life, up to half a minute', () => {
  expect(pausesAfter(...Array<number>(9).fill(10))).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test('a good life makes it the shortest again', () => {
  expect(pausesAfter(10, 10, 10, 60_000, 10)).toEqual([500, 1000, 2000, 500, 1000]);
});
