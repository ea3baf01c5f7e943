import type { CustomFilter } from '../../kernel/declare/fields/options.js';
import { booleanFilter } from '../../kernel/read/conditions/custom-filters.js';

/** Handwritten filters of leagues. */
export const leagueFilters: Record<string, CustomFilter> = {
  isRegistering: booleanFilter(
    'Whether registration is open: both dates are set, the current time is between them, and the league is not disabled.',
    ({ row, time }) =>
      `${row}.disabled_at is null and ${row}.registration_opens_at <= ${time('now')} and ${row}.registration_closes_at >= ${time('now')}`,
  ),
};
