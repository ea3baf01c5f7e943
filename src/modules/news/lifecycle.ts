import { registerEnumType } from 'type-graphql';

/** The states of a news item (decisions 28 and 57). */
export const NewsLifecycle = { ACTIVE: 'ACTIVE', INACTIVE: 'INACTIVE', ARCHIVED: 'ARCHIVED' } as const;

registerEnumType(NewsLifecycle, {
  name: 'NewsLifecycle',
  description: 'Where a news item stands between draft and archive.',
  valuesConfig: {
    ACTIVE: { description: 'Within its schedule for the site. A schedule with one end is open at the other.' },
    INACTIVE: { description: 'Before or after its schedule for the site, or without one: a draft.' },
    ARCHIVED: { description: 'Archived, whatever its schedules say.' },
  },
});

/** SQL: whether a schedule of the news item `r` is running. A schedule has at least one end. */
const isRunning = (schedule: string): string =>
  `(num_nonnulls(r.${schedule}_from, r.${schedule}_until) > 0 and coalesce(r.${schedule}_from, '-infinity') <= now() and coalesce(r.${schedule}_until, 'infinity') > now())`;

/** SQL: whether the news item `r` is archived. A future `archivedAt` takes effect at that time. */
const isArchived = '(r.archived_at is not null and r.archived_at <= now())';

/** SQL: whether a place shows the news item `r`, by the schedule for that place. Archived items are shown nowhere. */
export const isShownBy = (schedule: string): string => `(not ${isArchived} and ${isRunning(schedule)})`;

/** SQL: whether visitors can see the news item `r`. */
export const isOnSite = isShownBy('site_schedule');

/** SQL: the lifecycle of the news item `r`. */
export const lifecycle = `case when ${isArchived} then 'ARCHIVED' when ${isRunning('site_schedule')} then 'ACTIVE' else 'INACTIVE' end`;
