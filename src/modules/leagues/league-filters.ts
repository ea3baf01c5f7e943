import type { CustomFilter } from '../../kernel/declare/options.js';
import { when } from '../../kernel/read/own-filters.js';

/** Handwritten filters of leagues. */
export const leagueFilters: Record<string, CustomFilter> = {
  isRegistering: when(
    'Whether registration is open: within its dates, both of which must be set, and the league is not disabled.',
    'r.disabled_at is null and r.registration_opens_at <= now() and r.registration_closes_at >= now()',
  ),
};
