import { expect, test } from 'vitest';

interface Outlook {
  readonly kind: string;
  readonly day?: string;
}
// A script of a page, which has no types.
const { outlook }: { outlook(days: readonly { day: string; calls: number }[]): Outlook } = await import(
  new URL('../../src/pages/assets/burn-down.js', import.meta.url).href
);

/** Calls of days that end on 30 January, the last of which is not over. */
const of = (...calls: number[]) =>
  outlook(
    calls.map((each, index) => ({
      day: new Date(Date.UTC(2026, 0, 30 - (calls.length - 1 - index))).toISOString().slice(0, 10),
      calls: each,
    })),
  );

test('calls that go down are over where their line meets zero, whatever the day that is not over has so far', () => {
  const down = [100, 90, 80, 70, 60, 50, 40, 30];
  expect([of(...down, 0), of(...down, 500)]).toEqual([
    { kind: 'over', day: '2026-02-01' },
    { kind: 'over', day: '2026-02-01' },
  ]);
});

test('days before the first call are none on which nothing was called', () => {
  expect([of(0, 0, 0, 0, 0, 0, 0, 0, 70, 60, 50, 40, 30, 20, 10, 1), of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5, 5)]).toEqual([
    { kind: 'over', day: '2026-01-30' },
    { kind: 'early' },
  ]);
});

test('calls that stay, and calls that have ended, are told as that', () => {
  expect([of(5, 5, 5, 5, 5, 5, 5, 5, 1), of(9, 8, 7, 0, 0, 0, 0, 0, 0, 0), of(0, 0, 0)]).toEqual([
    { kind: 'steady' },
    { kind: 'silent', day: '2026-01-23' },
    { kind: 'none' },
  ]);
});
