import { registerEnumType } from 'type-graphql';

/** States of a news item (decisions 28 and 57). */
export const NewsLifecycle = { ACTIVE: 'ACTIVE', INACTIVE: 'INACTIVE', ARCHIVED: 'ARCHIVED' } as const;

registerEnumType(NewsLifecycle, {
  name: 'NewsLifecycle',
  description: 'State of a news item.',
  valuesConfig: {
    ACTIVE: { description: 'Within its schedule for the site. A missing start or end is no limit.' },
    INACTIVE: { description: 'Before or after its schedule for the site, or a draft without a schedule.' },
    ARCHIVED: { description: 'Archived, regardless of its schedules.' },
  },
});

/** SQL: whether the current time is within a schedule of the news item `r`. A schedule has a start, an end or both. */
const isRunning = (schedule: string): string =>
  `(num_nonnulls(r.${schedule}_from, r.${schedule}_until) > 0 and coalesce(r.${schedule}_from, '-infinity') <= now() and coalesce(r.${schedule}_until, 'infinity') > now())`;

/** SQL: whether the news item `r` is archived. A future `archivedAt` takes effect at that time. */
const isArchived = '(r.archived_at is not null and r.archived_at <= now())';

/** SQL: whether the news item `r` is shown by a schedule, such as `homepage_schedule`. Archived items are never shown. */
export const isShownBy = (schedule: string): string => `(not ${isArchived} and ${isRunning(schedule)})`;

/** SQL: whether visitors can see the news item `r`. */
export const isOnSite = isShownBy('site_schedule');

/** SQL: the lifecycle of the news item `r`. */
export const lifecycle = `case when ${isArchived} then 'ARCHIVED' when ${isRunning('site_schedule')} then 'ACTIVE' else 'INACTIVE' end`;
