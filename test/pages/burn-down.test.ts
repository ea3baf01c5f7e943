import { expect, test } from 'vitest';

interface Forecast {
  readonly kind: string;
  readonly day?: string;
}
// A browser script, so it has no type declarations.
const { forecast }: { forecast(days: readonly { day: string; calls: number }[]): Forecast } = await import(
  new URL('../../src/pages/assets/burn-down.js', import.meta.url).href
);

/** Returns the forecast for the call counts of consecutive days. The last day is January 30, which is not complete. */
const forecastFor = (...counts: number[]) =>
  forecast(
    counts.map((calls, index) => ({
      day: new Date(Date.UTC(2026, 0, 30 - (counts.length - 1 - index))).toISOString().slice(0, 10),
      calls,
    })),
  );

test.each([0, 500])('decreasing calls end where their trend line reaches zero, with %i calls on the incomplete day', (calls) => {
  expect(forecastFor(100, 90, 80, 70, 60, 50, 40, 30, calls)).toEqual({ kind: 'ending', day: '2026-02-01' });
});

test('days before the first call do not count as days without calls', () => {
  expect({
    decreasing: forecastFor(0, 0, 0, 0, 0, 0, 0, 0, 70, 60, 50, 40, 30, 20, 10, 1),
    recent: forecastFor(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5, 5),
  }).toEqual({ decreasing: { kind: 'ending', day: '2026-01-30' }, recent: { kind: 'early' } });
});

test('constant calls are steady', () => {
  expect(forecastFor(5, 5, 5, 5, 5, 5, 5, 5, 1)).toEqual({ kind: 'steady' });
});

test('a route is silent since the last day with calls', () => {
  expect(forecastFor(9, 8, 7, 0, 0, 0, 0, 0, 0, 0)).toEqual({ kind: 'silent', day: '2026-01-23' });
});

test('there is no forecast without calls', () => {
  expect(forecastFor(0, 0, 0)).toEqual({ kind: 'none' });
});
