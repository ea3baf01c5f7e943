/** How calls go down from day to day; times are in UTC. */

const dayLength = 86_400_000;

/** Fewer whole days than these say nothing of what is to come. */
const fewestDays = 7;

/** A value for each day from the first to the last. */
export function eachDay({ from, to }, days) {
  const known = new Map(days.map(({ day, counts }) => [day, counts]));
  const none = { calls: 0, clientErrors: 0, serverErrors: 0 };
  const all = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayLength) {
    const day = new Date(at).toISOString().slice(0, 10);
    all.push({ day, ...(known.get(day) ?? none) });
  }
  return all;
}

/**
 * What is to be expected, of days of which the last is not over yet: `none` without calls, `silent` since a day, `early` while too few days are known,
 * `over` at a day where the calls go down, else `steady`. What was before the first call is no part of it: nothing may have been counted then.
 */
export function outlook(days) {
  const first = days.findIndex(({ calls }) => calls > 0);
  if (first < 0) return { kind: 'none' };
  const last = days.findLastIndex(({ calls }) => calls > 0);
  if (days.length - 1 - last >= fewestDays) return { kind: 'silent', day: days[last].day };
  const whole = days.slice(first, -1);
  if (whole.length < fewestDays) return { kind: 'early' };
  const middle = (whole.length - 1) / 2;
  const mean = whole.reduce((sum, { calls }) => sum + calls, 0) / whole.length;
  const up = whole.reduce((sum, { calls }, index) => sum + (index - middle) * (calls - mean), 0);
  const across = whole.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  if (up >= 0) return { kind: 'steady' };
  const zero = Math.ceil(middle - (mean * across) / up) - (whole.length - 1);
  const over = Date.parse(whole.at(-1).day) + Math.max(1, zero) * dayLength;
  return { kind: 'over', day: new Date(over).toISOString().slice(0, 10) };
}
