import type { CustomFilter } from '../../kernel/declare/options.js';
import { daysOf, registrationOf } from './days-sql.js';
import { Near } from './near.js';
import { nearby } from './near-sql.js';
import { overlapping } from './overlapping-sql.js';
import { Period } from './period.js';
import { SanctioningBody } from './sanction.js';
import { sanctionedBy } from './sanctioned-by-sql.js';
import { searching } from './search-sql.js';

/** True asks for the condition, false for its opposite. */
const when = (description: string, condition: string, { isFew }: { isFew?: true } = {}): CustomFilter => ({
  type: () => Boolean,
  description,
  sql: (wanted: boolean) =>
    wanted ? { where: `(${condition})`, ...(isFew && { isFew }) } : `not coalesce((${condition}), false)`,
});

/** The filters of section 4.1 beyond those of the columns (decisions 18 and 19). */
export const tournamentFilters: Record<string, CustomFilter> = {
  search: {
    type: () => String,
    description:
      'Words of the title, in any case, with or without accents, small misspellings allowed; exact hits come first. At most 200 characters.',
    sql: (given: string, param, _, path) => searching(given, param, path),
  },
  near: {
    type: () => Near,
    description: 'Within a distance of a place, nearest first.',
    sql: (near: Near, param, _, path) => nearby(near, param, path),
  },
  overlaps: {
    type: () => Period,
    description: 'Its days, in its own time zone, overlap this span. A tournament without a start has none.',
    sql: overlapping,
  },
  sanctionedBy: {
    type: () => [SanctioningBody],
    description:
      'Sanctioned by at least one of these governing bodies, or with an entry of it among its approvals, whatever the status.',
    sql: sanctionedBy,
  },
  isPast: when(
    'It is over: its end is past. An end at midnight in its time zone stands for that day, an absent one for the day of the start.',
    'r.over_at <= now()',
  ),
  isUpcoming: when('It is ahead: its start is.', 'r.starts_at > now()'),
  isPlaying: when(
    'It is being played, started and not yet over, and was not called off.',
    `${daysOf('r.')} @> now() and r.starts_at <= now() and r.over_at > now() and not r.is_cancelled`,
    { isFew: true },
  ),
  isRegistering: when(
    'Registration is open: within its dates (with one of them only, open on the other side), not closed by hand, the tournament not called off.',
    `${registrationOf('r.')} @> now() and not r.is_registration_closed and not r.is_cancelled`,
    { isFew: true },
  ),
};
