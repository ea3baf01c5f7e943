import type { Condition } from '../../../kernel/declare/fields/options.js';
import { normalizeInstant } from '../../../kernel/declare/scalars/instant.js';
import type { Param } from '../../../kernel/session.js';
import type { DaysFilter } from './days-filter.js';
import { timesCondition } from './times-condition-sql.js';

/** Extreme UTC offsets of time zones. */
const [earliest, latest] = ['+14:00', '-12:00'];

/** SQL condition for tournaments that are played on one of these days in their own time zone. */
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
  // A comparison of instants is sufficient for most rows. Only the other rows need the slower conversion to their time zone.
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
