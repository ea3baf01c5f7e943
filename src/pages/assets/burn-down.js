/** Forecasts the number of calls per day. Days are in UTC. */

const msPerDay = 86_400_000;

/** Minimum number of complete days for a forecast. */
const minDays = 7;

/** Returns the counts of each day of a period, with zeros for days without calls. */
export function dailyCounts({ from, to }, days) {
  const countsByDay = new Map(days.map(({ day, counts }) => [day, counts]));
  const zeros = { calls: 0, clientErrors: 0, serverErrors: 0 };
  const dayList = [];
  for (let timestamp = Date.parse(from); timestamp <= Date.parse(to); timestamp += msPerDay) {
    const day = new Date(timestamp).toISOString().slice(0, 10);
    dayList.push({ day, ...(countsByDay.get(day) ?? zeros) });
  }
  return dayList;
}

/**
 * Forecasts from the counts of consecutive days. The last day is incomplete. Kinds of forecasts:
 * - `none`: There are no calls.
 * - `silent`: There have been no calls for a week. `day` is the day of the last call.
 * - `early`: There are fewer than 7 complete days since the first call.
 * - `ending`: The calls decrease. `day` is the day on which their trend line reaches zero.
 * - `steady`: The calls do not decrease.
 * Days before the first call are ignored, because counting may have started later.
 */
export function forecast(days) {
  const firstIndex = days.findIndex(({ calls }) => calls > 0);
  if (firstIndex < 0) return { kind: 'none' };
  const lastIndex = days.findLastIndex(({ calls }) => calls > 0);
  if (days.length - 1 - lastIndex >= minDays) return { kind: 'silent', day: days[lastIndex].day };
  const completeDays = days.slice(firstIndex, -1);
  if (completeDays.length < minDays) return { kind: 'early' };
  const meanIndex = (completeDays.length - 1) / 2;
  const mean = completeDays.reduce((sum, { calls }) => sum + calls, 0) / completeDays.length;
  const covariance = completeDays.reduce((sum, { calls }, index) => sum + (index - meanIndex) * (calls - mean), 0);
  const variance = completeDays.reduce((sum, _, index) => sum + (index - meanIndex) ** 2, 0);
  if (covariance >= 0) return { kind: 'steady' };
  const daysToZero = Math.ceil(meanIndex - (mean * variance) / covariance) - (completeDays.length - 1);
  const end = Date.parse(completeDays.at(-1).day) + Math.max(1, daysToZero) * msPerDay;
  return { kind: 'ending', day: new Date(end).toISOString().slice(0, 10) };
}
