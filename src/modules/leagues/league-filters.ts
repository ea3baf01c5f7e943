import type { CustomFilter } from '../../kernel/declare/options.js';

const registering = `(r.disabled_at is null and coalesce(r.registration_opens_at <= now() and r.registration_closes_at >= now(), false))`;

/** The filters of leagues beyond those of the columns. */
export const leagueFilters: Record<string, CustomFilter> = {
  isRegistering: {
    type: () => Boolean,
    description: 'Registration is open: within its dates, the league not disabled.',
    sql: (wanted: boolean) => (wanted ? registering : `not ${registering}`),
  },
};
