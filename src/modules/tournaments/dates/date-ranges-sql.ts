import { expression, RowReference, type SqlExpression, tableNamed } from '../../../kernel/declare/expression.js';

/**
 * Returns the SQL expression for the days of a tournament: a range from the start of the first day to the end of the last day. Days start
 * and end in the time zone of the tournament. Null if the tournament has no start. Indexes use exactly this expression. The indexes are not
 * partial, because PostgreSQL has no statistics on the expressions of partial indexes.
 */
export function daysRange(row: RowReference): SqlExpression {
  const start = row.column('first_day_starts_at');
  return expression`(case when ${start} is not null then tstzrange(${start}, ${row.column('last_day_ends_at')}) end)`;
}

/**
 * Returns the SQL expression for the registration period. A missing date means no limit. Null if both dates are missing, or if the end is
 * before the start.
 */
export const registrationRange = (row: RowReference): SqlExpression => {
  const [opensAt, closesAt] = [row.column('registration_opens_at'), row.column('registration_closes_at')];
  return expression`(case when ${opensAt} <= ${closesAt} or (${opensAt} is null) <> (${closesAt} is null) then tstzrange(${opensAt}, ${closesAt}) end)`;
};

/**
 * Returns the SQL expression for a lower bound on the starts of tournaments that take place at or after an instant. The bound is the
 * earliest start of the tournaments that take place at the instant, or else the instant itself.
 */
export const earliestStart = (instant: SqlExpression): SqlExpression =>
  expression`(select least(min(s.at), ${instant}) from (select t.starts_at as at from ${tableNamed('tournament')} t where ${daysRange(new RowReference('t'))} @> ${instant} offset 0) s)`;
