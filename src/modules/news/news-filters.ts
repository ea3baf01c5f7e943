import type { CustomFilter } from '../../kernel/declare/options.js';
import { isOnSite, isPlaced, lifecycle, NewsLifecycle } from './lifecycle.js';

/** True asks for the condition, false for its opposite. */
const when = (description: string, condition: string): CustomFilter => ({
  type: () => Boolean,
  description,
  sql: (wanted: boolean) => (wanted ? condition : `not ${condition}`),
});

/** Archived items are shown nowhere, whatever their schedules say. */
const shown = (condition: string): string => `(r.archived_at is null and ${condition})`;

/** The filters of section 4.18 beyond those of the columns (decision 28). */
export const newsFilters: Record<string, CustomFilter> = {
  lifecycle: {
    type: () => NewsLifecycle,
    description: 'In this state of its lifecycle now.',
    sql: (wanted: string, param) => `${lifecycle} = ${param(wanted)}`,
  },
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
