import type { Condition } from '../../../kernel/declare/fields/options.js';
import { isNotAfter, normalizeInstant } from '../../../kernel/declare/scalars/instant.js';
import type { Param } from '../../../kernel/session.js';
import { daysRange, earliestStart } from './date-ranges-sql.js';
import type { DaysFilter, TimesFilter } from './days-filter.js';

const dayMs = 86_400_000;

/**
 * Returns the SQL condition for tournaments whose days overlap a time range. Lists that cannot be read in branches use the index on days
 * for ranges of up to two months, which match few rows. For longer ranges, a scan in the order of the starts finds matches quickly.
 */
export function timesCondition({ gte: from, lte: until }: TimesFilter, param: Param): Condition {
  if (!from && !until) return 'true';
  if (from && until && !isNotAfter(from, until)) return 'false';
  const start = from ? `${param(from)}::timestamptz` : 'null';
  const end = until ? `${param(until)}::timestamptz` : 'null';
  // Because of the subquery, PostgreSQL computes the range once instead of for each row.
  const { row } = param;
  const where = `${daysRange(`${row}.`)} && (select tstzrange(${start}, ${end}, '[]'))`;
  const upper = until ? `${row}.starts_at <= ${end} + interval '2 days'` : 'true';
  // One branch selects tournaments in progress at the start of the range, the other selects tournaments that start within it.
  const first = `${row}.first_day_starts_at`;
  const overlapConditions = [
    `${first} < ${row}.last_day_ends_at and ${upper}`,
    ...(from ? [`${first} > ${start} and ${row}.starts_at > ${start} - interval '2 days'`] : []),
    ...(until ? [`${first} <= ${end}`] : []),
  ].join(' and ');
  const branches = [
    ...(from ? [{ where: `${daysRange(`${row}.`)} @> ${start}`, isSelective: true as const }] : []),
    { where: overlapConditions },
  ];
  if (from && until && Date.parse(until) - Date.parse(from) <= 62 * dayMs) return { where, isSelective: true, branches };
  const lower = from ? ` and ${row}.starts_at >= ${earliestStart(start, param)}` : '';
  return { where: `${where}${lower} and ${upper}`, branches };
}

/** Greatest and smallest UTC offset of any time zone. */
const [earliest, latest] = ['+14:00', '-12:00'];

/** Returns the SQL condition for tournaments that take place on one of these days in their own time zone. */
export function daysCondition({ gte: from, lte: until }: DaysFilter, param: Param): Condition {
  if (from && until && from > until) return 'false';
  const times = {
    gte: from && normalizeInstant(`${from}T00:00:00${earliest}`),
    lte: until && normalizeInstant(`${until}T00:00:00${latest}`),
  };
  const { row } = param;
  const zone = `time_zone_or_utc(${row}.time_zone)`;
  const firstDay = `(${row}.first_day_starts_at at time zone ${zone})::date`;
  const lastDay = `((${row}.last_day_ends_at - interval '1 microsecond') at time zone ${zone})::date`;
  // Declares the dependencies of `time_zone_or_utc`: the table of time zones and the current time.
  param.table('time_zone');
  param.time('now');
  // Comparing instants is sufficient for most rows. Only the other rows need the slower conversion to their time zone.
  const exactCondition = [
    ...(from
      ? [`(${row}.last_day_ends_at > ${param(`${from}T00:00:00${latest}`)}::timestamptz or ${lastDay} >= ${param(from)}::date)`]
      : []),
    ...(until
      ? [
          `(${row}.first_day_starts_at <= ${param(`${until}T00:00:00${earliest}`)}::timestamptz or ${firstDay} <= ${param(until)}::date)`,
        ]
      : []),
  ].join(' and ');
  if (!exactCondition) return 'true';
  const condition = timesCondition(times, param);
  const { where, isSelective, branches } = typeof condition === 'string' ? { where: condition } : condition;
  const withExactCheck = (sql: string) => `${sql} and ${exactCondition}`;
  return {
    where: withExactCheck(where),
    ...(isSelective ? { isSelective } : {}),
    ...(branches ? { branches: branches.map((branch) => ({ ...branch, where: withExactCheck(branch.where) })) } : {}),
  };
}
