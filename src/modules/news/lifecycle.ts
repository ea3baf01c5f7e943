import { registerEnumType } from 'type-graphql';

/** The states of a news item (decision 28). */
export const NewsLifecycle = { ACTIVE: 'ACTIVE', INACTIVE: 'INACTIVE', ARCHIVED: 'ARCHIVED' } as const;

registerEnumType(NewsLifecycle, {
  name: 'NewsLifecycle',
  description: 'Where a news item stands between draft and archive.',
  valuesConfig: {
    ACTIVE: { description: 'Within its schedule for the site, an open end counting as open.' },
    INACTIVE: { description: 'Before or after its schedule for the site.' },
    ARCHIVED: { description: 'Archived, whatever its schedules say.' },
  },
});

/** SQL: whether a schedule of the news item `r` runs now. */
const runs = (schedule: string): string =>
  `(coalesce(r.${schedule}_from, '-infinity') <= now() and coalesce(r.${schedule}_until, 'infinity') > now())`;

/** SQL: whether the news item `r` is on the site by its schedule; one without any ends is. */
export const isOnSite = runs('site_schedule');

/** SQL: whether the news item `r` is shown to visitors at all. */
export const onShow = `(r.archived_at is null and ${isOnSite})`;

/** SQL: whether a place that few items are chosen for shows the news item `r`; one that was given no time there is not. */
export const isPlaced = (schedule: string): string =>
  `(num_nonnulls(r.${schedule}_from, r.${schedule}_until) > 0 and ${runs(schedule)})`;

/** SQL: the lifecycle of the news item `r`. */
export const lifecycle = `case when r.archived_at is not null then 'ARCHIVED' when ${isOnSite} then 'ACTIVE' else 'INACTIVE' end`;
