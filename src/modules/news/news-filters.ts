import type { CustomFilter } from '../../kernel/filter.js';
import { isOnSite, isPlaced, lifecycle, NewsLifecycle } from './lifecycle.js';

/** True asks for the condition, false for its opposite. */
const when = (description: string, condition: string): CustomFilter => ({
  type: () => Boolean,
  description,
  sql: (wanted: boolean) => (wanted ? condition : `not ${condition}`),
});

/** The filters of section 4.18 beyond those of the columns (decision 28). */
export const newsFilters: Record<string, CustomFilter> = {
  lifecycle: {
    type: () => NewsLifecycle,
    description: 'In this state now.',
    sql: (wanted: string, param) => `${lifecycle} = ${param(wanted)}`,
  },
  isOnSite: when('The schedule for the site runs now; one without ends always does.', isOnSite),
  isOnHomepage: when('The schedule for the home page runs now; one without ends never does.', isPlaced('homepage_schedule')),
  isFeatured: when('The schedule as a featured item runs now; one without ends never does.', isPlaced('featured_schedule')),
};
