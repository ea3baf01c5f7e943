import { enumeration } from '../../kernel/declare/enumeration.js';
import type { CustomFilter } from '../../kernel/declare/fields/options.js';
import type { Param } from '../../kernel/declare/row.js';
import { booleanFilter, enumFilter } from '../../kernel/read/conditions/custom-filters.js';

/** States of a news item (decisions 28 and 57). */
export const NewsLifecycle = enumeration('NewsLifecycle', 'State of a news item.', {
  ACTIVE: 'Within its schedule for the site. A missing start or end means no limit.',
  INACTIVE: 'Before or after its schedule for the site, or a draft without a schedule.',
  ARCHIVED: 'Archived, regardless of its schedules.',
});

/**
 * Returns the SQL condition that a schedule of the news item includes the current time. A schedule without a start and an end never does.
 */
function isInSchedule(schedule: string, { row, time }: Param): string {
  const [from, until] = [`${row}.${schedule}_from`, `${row}.${schedule}_until`];
  return `(num_nonnulls(${from}, ${until}) > 0 and coalesce(${from}, '-infinity') <= ${time('now')} and coalesce(${until}, 'infinity') > ${time('now')})`;
}

/** Returns the SQL condition that the news item is archived. An `archivedAt` in the future takes effect at that time. */
const isArchived = ({ row, time }: Param): string => `(${row}.archived_at is not null and ${row}.archived_at <= ${time('now')})`;

/** Returns the SQL condition that a schedule, such as `homepage_schedule`, shows the news item now. Archived items are never shown. */
const isShownBy =
  (schedule: string) =>
  (param: Param): string =>
    `(not ${isArchived(param)} and ${isInSchedule(schedule, param)})`;

/** SQL condition that visitors can see the news item. */
export const isOnSite = isShownBy('site_schedule');

/** Returns the SQL expression for the state of the news item. */
export const lifecycle = (param: Param): string =>
  `case when ${isArchived(param)} then 'ARCHIVED' when ${isInSchedule('site_schedule', param)} then 'ACTIVE' else 'INACTIVE' end`;

/** Filters for news items, by archived state and by schedules (section 4.18, decisions 28 and 57). */
export const newsFilters: Record<string, CustomFilter> = {
  lifecycle: enumFilter(NewsLifecycle, 'Current state.', lifecycle),
  isOnSite: booleanFilter(
    'Whether the item is shown on the site now: not archived, and within its schedule. False without a schedule.',
    isOnSite,
  ),
  isOnHomepage: booleanFilter(
    'Whether the item is shown on the home page now: not archived, and within its schedule. False without a schedule.',
    isShownBy('homepage_schedule'),
  ),
  isFeatured: booleanFilter(
    'Whether the item is featured now: not archived, and within its schedule. False without a schedule.',
    isShownBy('featured_schedule'),
  ),
};
