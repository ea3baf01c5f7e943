import type { CustomFilter } from '../../kernel/declare/options.js';
import { when, whichOf } from '../../kernel/read/own-filters.js';
import { isOnSite, isShownBy, lifecycle, NewsLifecycle } from './lifecycle.js';

/** The filters of section 4.18 that are computed from schedules (decisions 28 and 57). */
export const newsFilters: Record<string, CustomFilter> = {
  lifecycle: whichOf(NewsLifecycle, 'Where it stands in its lifecycle now.', lifecycle),
  isOnSite: when('Shown on the site now: not archived, and within its schedule. False for items without a schedule.', isOnSite),
  isOnHomepage: when(
    'Shown on the home page now: not archived, and within its schedule. False for items without a schedule.',
    isShownBy('homepage_schedule'),
  ),
  isFeatured: when(
    'Featured now: not archived, and within its schedule. False for items without a schedule.',
    isShownBy('featured_schedule'),
  ),
};
