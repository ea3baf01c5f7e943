import { enumeration } from '../../kernel/declare/enumeration.js';
import { expression, currentTimestamp as now, type RowReference, type SqlExpression } from '../../kernel/declare/expression.js';
import type { CustomFilter } from '../../kernel/declare/fields/options.js';
import { booleanFilter, enumFilter } from '../../kernel/read/conditions/custom-filters.js';

/** States of a news item (decisions 28 and 57). */
export const NewsLifecycle = enumeration('NewsLifecycle', 'State of a news item.', {
  ACTIVE: 'Within its schedule for the site. A missing start or end means no limit.',
  INACTIVE: 'Before or after its schedule for the site, or a draft without a schedule.',
  ARCHIVED: 'Archived, regardless of its schedules.',
});

/**
 * Returns the SQL condition that a schedule of the news item includes the current time. False for a schedule with neither a start nor an
 * end.
 */
function isInSchedule(schedule: string, row: RowReference): SqlExpression {
  const [from, until] = [row.column(`${schedule}_from`), row.column(`${schedule}_until`)];
  return expression`(num_nonnulls(${from}, ${until}) > 0 and coalesce(${from}, '-infinity') <= ${now} and coalesce(${until}, 'infinity') > ${now})`;
}

/** Returns the SQL condition that the news item is archived. An `archivedAt` in the future takes effect at that time. */
const isArchived = (row: RowReference): SqlExpression =>
  expression`(${row}.archived_at is not null and ${row}.archived_at <= ${now})`;

/** Returns the SQL condition that a schedule, such as `homepage_schedule`, shows the news item now. Archived items are never shown. */
const isShownBy =
  (schedule: string) =>
  (row: RowReference): SqlExpression =>
    expression`(not ${isArchived(row)} and ${isInSchedule(schedule, row)})`;

/** SQL condition that visitors can see the news item. */
export const isOnSite = isShownBy('site_schedule');

/** Returns the SQL expression for the state of the news item. */
export const lifecycle = (row: RowReference): SqlExpression =>
  expression`case when ${isArchived(row)} then 'ARCHIVED' when ${isInSchedule('site_schedule', row)} then 'ACTIVE' else 'INACTIVE' end`;

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
