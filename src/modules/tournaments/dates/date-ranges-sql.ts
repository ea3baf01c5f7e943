import type { Param } from '../../../kernel/declare/row.js';

/**
 * SQL expression for the range from the start of the first day of a tournament to the end of its last day, in its own time zone. Null without a
 * start. Indexes use exactly this expression. They are not partial, because PostgreSQL has no statistics on the expressions of partial indexes.
 */
export const daysRange = (row = ''): string =>
  `(case when ${row}first_day_starts_at is not null then tstzrange(${row}first_day_starts_at, ${row}last_day_ends_at) end)`;

/** SQL expression for the registration period. A missing date means no limit. Null without any date, or if the end is before the start. */
export const registrationRange = (row = ''): string => {
  const [opensAt, closesAt] = [`${row}registration_opens_at`, `${row}registration_closes_at`];
  return `(case when ${opensAt} <= ${closesAt} or (${opensAt} is null) <> (${closesAt} is null) then tstzrange(${opensAt}, ${closesAt}) end)`;
};

/** SQL expression for a lower bound of the starts of tournaments that are played at an instant or later. It is the earliest start of those played at the instant, or else the instant. */
export const earliestStart = (instant: string, { table }: Param): string =>
  `(select least(min(s.at), ${instant}) from (select t.starts_at as at from ${table('tournament')} t where ${daysRange('t.')} @> ${instant} offset 0) s)`;
