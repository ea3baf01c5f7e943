import type { CustomFilter } from '../../kernel/declare/options.js';
import { when, whichOf } from '../../kernel/read/own-filters.js';
import { isOnSite, isPlaced, lifecycle, NewsLifecycle } from './lifecycle.js';

/** Archived items are shown nowhere, whatever their schedules say. */
const shown = (condition: string): string => `(r.archived_at is null and ${condition})`;

/** The filters of section 4.18 beyond those of the columns (decision 28). */
export const newsFilters: Record<string, CustomFilter> = {
  lifecycle: whichOf(NewsLifecycle, 'Where it stands in its lifecycle now.', lifecycle),
  isOnSite: when('Shown on the site now: not archived, and within its schedule; one without ends always runs.', shown(isOnSite)),
  isOnHomepage: when(
    'Shown on the home page now: not archived, and within its schedule; one without ends never runs.',
    shown(isPlaced('homepage_schedule')),
  ),
  isFeatured: when(
    'Featured now: not archived, and within its schedule; one without ends never runs.',
    shown(isPlaced('featured_schedule')),
  ),
};
