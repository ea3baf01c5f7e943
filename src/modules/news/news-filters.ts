import type { CustomFilter } from '../../kernel/declare/fields/options.js';
import { booleanFilter, enumFilter } from '../../kernel/read/conditions/custom-filters.js';
import { isOnSite, isShownBy, lifecycle, NewsLifecycle } from './lifecycle.js';

/** Filters on the archiving and the schedules of news items (section 4.18, decisions 28 and 57). */
export const newsFilters: Record<string, CustomFilter> = {
  lifecycle: enumFilter(NewsLifecycle, 'Current state.', lifecycle),
  isOnSite: booleanFilter(
    'Whether it is shown on the site now: not archived, and within its schedule. False without a schedule.',
    isOnSite,
  ),
  isOnHomepage: booleanFilter(
    'Whether it is shown on the home page now: not archived, and within its schedule. False without a schedule.',
    isShownBy('homepage_schedule'),
  ),
  isFeatured: booleanFilter(
    'Whether it is featured now: not archived, and within its schedule. False without a schedule.',
    isShownBy('featured_schedule'),
  ),
};
