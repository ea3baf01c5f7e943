import { registerEnumType } from 'type-graphql';
import type { Param } from '../../kernel/declare/row.js';

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

/** SQL: whether a schedule of the news item is running. A schedule has a start, an end or both. */
function isRunning(schedule: string, { row, time }: Param): string {
  const [from, until] = [`${row}.${schedule}_from`, `${row}.${schedule}_until`];
  return `(num_nonnulls(${from}, ${until}) > 0 and coalesce(${from}, '-infinity') <= ${time('now')} and coalesce(${until}, 'infinity') > ${time('now')})`;
}

/** SQL: whether the news item is archived. A future `archivedAt` takes effect at that time. */
const isArchived = ({ row, time }: Param): string => `(${row}.archived_at is not null and ${row}.archived_at <= ${time('now')})`;

/** SQL: whether the news item is shown by a schedule, such as `homepage_schedule`. Archived items are never shown. */
export const isShownBy =
  (schedule: string) =>
  (param: Param): string =>
    `(not ${isArchived(param)} and ${isRunning(schedule, param)})`;

/** SQL: whether visitors can see the news item. */
export const isOnSite = isShownBy('site_schedule');

/** SQL: the lifecycle of the news item. */
export const lifecycle = (param: Param): string =>
  `case when ${isArchived(param)} then 'ARCHIVED' when ${isRunning('site_schedule', param)} then 'ACTIVE' else 'INACTIVE' end`;
