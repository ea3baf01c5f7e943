import { isUpTo } from '../../kernel/declare/instant.js';
import type { Condition } from '../../kernel/declare/options.js';
import type { Param } from '../../kernel/session.js';
import type { DaysFilter } from './days-filter.js';
import { daysOf, earliestStart } from './days-sql.js';

const day = 86_400_000;

/**
 * SQL: tournaments whose days overlap a span. Those of a span of two months are few. Those of a longer or open one are met soon in the
 * order of their starts, beginning with the first that can be among them.
 */
export function overlapping({ gte: from, lte: until }: DaysFilter, param: Param): Condition {
  if (!from && !until) return 'true';
  if (from && until && !isUpTo(from, until)) return 'false';
  const start = from ? `${param(from)}::timestamptz` : 'null';
  const end = until ? `${param(until)}::timestamptz` : 'null';
  const where = `${daysOf('r.')} && tstzrange(${start}, ${end}, '[]')`;
  if (from && until && Date.parse(until) - Date.parse(from) <= 62 * day) {
    // Its days are no empty range, which overlaps nothing.
    const later = `r.first_day_begins_at > ${start} and r.first_day_begins_at <= ${end} and r.first_day_begins_at < r.last_day_ends_at
      and r.starts_at > ${start} - interval '2 days' and r.starts_at <= ${end} + interval '2 days'`;
    return { where, isFew: true, branches: [{ where: `${daysOf('r.')} @> ${start}`, isFew: true }, { where: later }] };
  }
  const lower = from ? ` and r.starts_at >= ${earliestStart(start)}` : '';
  const upper = until ? ` and r.starts_at <= ${end} + interval '2 days'` : '';
  return where + lower + upper;
}
