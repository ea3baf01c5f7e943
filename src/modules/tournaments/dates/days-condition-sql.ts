import {
  allOf,
  alwaysFalse,
  alwaysTrue,
  dependentSql,
  expression,
  parameter,
  type RowReference,
  type SqlExpression,
} from '../../../kernel/declare/expression.js';
import type { FilterCondition } from '../../../kernel/declare/fields/options.js';
import { isAtOrBefore, normalizeInstant } from '../../../kernel/declare/scalars/instant.js';
import { daysRange, earliestStart } from './date-ranges-sql.js';
import type { DaysFilter, TimesFilter } from './days-filter.js';

const dayMs = 86_400_000;

/**
 * Returns the SQL condition for tournaments whose days overlap a time range. Lists that cannot be split into branches use the index on days
 * for ranges of up to two months, because these match few rows. For longer ranges, a scan ordered by the start finds matches quickly.
 */
export function timesCondition({ gte: from, lte: until }: TimesFilter, row: RowReference): FilterCondition {
  if (!from && !until) return { where: alwaysTrue };
  if (from && until && !isAtOrBefore(from, until)) return { where: alwaysFalse };
  const start = from ? expression`${parameter(from)}::timestamptz` : expression`null`;
  const end = until ? expression`${parameter(until)}::timestamptz` : expression`null`;
  const days = daysRange(row);
  // Because of the subquery, PostgreSQL computes the range once instead of for each row.
  const where = expression`${days} && (select tstzrange(${start}, ${end}, '[]'))`;
  const upper = until ? expression`${row}.starts_at <= ${end} + interval '2 days'` : alwaysTrue;
  // One branch selects tournaments in progress at the start of the range. The other branch selects tournaments that start within the range.
  const first = row.column('first_day_starts_at');
  const overlapConditions = allOf([
    expression`${first} < ${row}.last_day_ends_at and ${upper}`,
    ...(from ? [expression`${first} > ${start} and ${row}.starts_at > ${start} - interval '2 days'`] : []),
    ...(until ? [expression`${first} <= ${end}`] : []),
  ]);
  const branches = [
    ...(from ? [{ where: expression`${days} @> ${start}`, isSelective: true as const }] : []),
    { where: overlapConditions },
  ];
  if (from && until && Date.parse(until) - Date.parse(from) <= 62 * dayMs) return { where, isSelective: true, branches };
  const lower = from ? [expression`${row}.starts_at >= ${earliestStart(start)}`] : [];
  return { where: allOf([where, ...lower, upper]), branches };
}

/** Greatest and smallest UTC offsets of all time zones. */
const [earliest, latest] = ['+14:00', '-12:00'];

const timeZoneOrUtc = dependentSql('time_zone_or_utc', { tables: ['time_zone'], otherDependency: 'now' });

/** Returns the SQL condition for tournaments that take place on one of these days in their own time zone. */
export function daysCondition({ gte: from, lte: until }: DaysFilter, row: RowReference): FilterCondition {
  if (from && until && from > until) return { where: alwaysFalse };
  const times = {
    gte: from && normalizeInstant(`${from}T00:00:00${earliest}`),
    lte: until && normalizeInstant(`${until}T00:00:00${latest}`),
  };
  const zone = expression`${timeZoneOrUtc}(${row}.time_zone)`;
  const firstDay = expression`(${row}.first_day_starts_at at time zone ${zone})::date`;
  const lastDay = expression`((${row}.last_day_ends_at - interval '1 microsecond') at time zone ${zone})::date`;
  const time = (day: string, offset: string) => expression`${parameter(`${day}T00:00:00${offset}`)}::timestamptz`;
  // Comparing instants is sufficient for most rows. Only the other rows need the slower conversion to their time zone.
  const dayConditions = [
    ...(from ? [expression`(${row}.last_day_ends_at > ${time(from, latest)} or ${lastDay} >= ${parameter(from)}::date)`] : []),
    ...(until
      ? [expression`(${row}.first_day_starts_at <= ${time(until, earliest)} or ${firstDay} <= ${parameter(until)}::date)`]
      : []),
  ];
  if (dayConditions.length === 0) return { where: alwaysTrue };
  const { where, branches, ...condition } = timesCondition(times, row);
  const withExactCheck = (sql: SqlExpression) => allOf([sql, ...dayConditions]);
  return {
    ...condition,
    where: withExactCheck(where),
    ...(branches ? { branches: branches.map((branch) => ({ ...branch, where: withExactCheck(branch.where) })) } : {}),
  };
}
