import { normalizeInstant } from '../../kernel/declare/instant.js';
import type { Condition } from '../../kernel/declare/options.js';
import type { Param } from '../../kernel/session.js';
import type { DaysFilter } from './days-filter.js';
import { timesCondition } from './times-condition-sql.js';

/** Extreme UTC offsets of time zones. */
const [earliest, latest] = ['+14:00', '-12:00'];
const zone = 'known_zone(r.time_zone)';
const firstDay = `(r.first_day_begins_at at time zone ${zone})::date`;
const lastDay = `((r.last_day_ends_at - interval '1 microsecond') at time zone ${zone})::date`;

/** SQL condition for tournaments that are played on one of these days in their own time zone. */
export function daysCondition({ gte: from, lte: until }: DaysFilter, param: Param): Condition {
  if (from && until && from > until) return 'false';
  const times = {
    gte: from && normalizeInstant(`${from}T00:00:00${earliest}`),
    lte: until && normalizeInstant(`${until}T00:00:00${latest}`),
  };
  // A comparison of instants decides most rows. Only the others need the slower conversion to their time zone.
  const exact = [
    ...(from
      ? [`(r.last_day_ends_at > ${param(`${from}T00:00:00${latest}`)}::timestamptz or ${lastDay} >= ${param(from)}::date)`]
      : []),
    ...(until
      ? [
          `(r.first_day_begins_at <= ${param(`${until}T00:00:00${earliest}`)}::timestamptz or ${firstDay} <= ${param(until)}::date)`,
        ]
      : []),
  ].join(' and ');
  if (!exact) return 'true';
  const condition = timesCondition(times, param);
  const { where, isFew, branches } = typeof condition === 'string' ? { where: condition } : condition;
  const both = (sql: string) => `${sql} and ${exact}`;
  return {
    where: both(where),
    ...(isFew ? { isFew } : {}),
    ...(branches ? { branches: branches.map((branch) => ({ ...branch, where: both(branch.where) })) } : {}),
  };
}
