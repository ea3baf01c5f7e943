/**
 * SQL: the days of a tournament as a range, from where its first day begins to where its last one ends in its own time zone; null without
 * a start. The indexes hold these very texts. They are no partial ones, of which PostgreSQL keeps no statistics for its plans.
 */
export const daysOf = (row = ''): string =>
  `(case when ${row}first_day_begins_at is not null then tstzrange(${row}first_day_begins_at, ${row}last_day_ends_at) end)`;

/** SQL: when one can register, as a range that is open where a date is absent; null without any date, or where it ends before it begins. */
export const registrationOf = (row = ''): string => {
  const [opens, closes] = [`${row}registration_opens_at`, `${row}registration_closes_at`];
  return `(case when ${opens} <= ${closes} or (${opens} is null) <> (${closes} is null) then tstzrange(${opens}, ${closes}) end)`;
};

/** SQL: the earliest start of the tournaments that are on at a moment, and that moment where there is none: none that is on then or later starts before. */
export const earliestStart = (moment: string): string =>
  `(select least(min(s.at), ${moment}) from (select t.starts_at as at from tournament t where ${daysOf('t.')} @> ${moment} offset 0) s)`;
