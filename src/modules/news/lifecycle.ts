import { registerEnumType } from 'type-graphql';
import type { Param } from '../../kernel/declare/row.js';

/** States of a news item (decisions 28 and 57). */
export const NewsLifecycle = { ACTIVE: 'ACTIVE', INACTIVE: 'INACTIVE', ARCHIVED: 'ARCHIVED' } as const;

registerEnumType(NewsLifecycle, {
  name: 'NewsLifecycle',
  description: 'State of a news item.',
  valuesConfig: {
    ACTIVE: { description: 'Within its schedule for the site. A missing start or end means no limit.' },
    INACTIVE: { description: 'Before or after its schedule for the site, or a draft without a schedule.' },
    ARCHIVED: { description: 'Archived, regardless of its schedules.' },
  },
});

/** SQL condition that a schedule of the news item includes the current time. A schedule without a start and an end never does. */
function isInSchedule(schedule: string, { row, time }: Param): string {
  const [from, until] = [`${row}.${schedule}_from`, `${row}.${schedule}_until`];
  return `(num_nonnulls(${from}, ${until}) > 0 and coalesce(${from}, '-infinity') <= ${time('now')} and coalesce(${until}, 'infinity') > ${time('now')})`;
}

/** SQL condition that the news item is archived. A future `archivedAt` takes effect at that time. */
const isArchived = ({ row, time }: Param): string => `(${row}.archived_at is not null and ${row}.archived_at <= ${time('now')})`;

/** SQL condition that a schedule, such as `homepage_schedule`, shows the news item now. Archived items are never shown. */
export const isShownBy =
  (schedule: string) =>
  (param: Param): string =>
    `(not ${isArchived(param)} and ${isInSchedule(schedule, param)})`;

/** SQL condition that visitors can see the news item. */
export const isOnSite = isShownBy('site_schedule');

/** SQL expression for the state of the news item. */
export const lifecycle = (param: Param): string =>
  `case when ${isArchived(param)} then 'ARCHIVED' when ${isInSchedule('site_schedule', param)} then 'ACTIVE' else 'INACTIVE' end`;
