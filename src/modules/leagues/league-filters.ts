import type { CustomFilter } from '../../kernel/declare/options.js';
import { when } from '../../kernel/read/own-filters.js';

/** The filters of leagues beyond those of the columns. */
export const leagueFilters: Record<string, CustomFilter> = {
  isRegistering: when(
    'Registration is open: within its dates, the league not disabled.',
    'r.disabled_at is null and r.registration_opens_at <= now() and r.registration_closes_at >= now()',
  ),
};
