import type { CustomFilter } from '../../kernel/declare/options.js';
import { someOf, when, whichOf } from '../../kernel/read/own-filters.js';
import { DaysFilter, TimesFilter } from './days-filter.js';
import { entriesAt, isRegistered, registrationsFor } from './is-registered-sql.js';
import { onDays } from './on-days-sql.js';
import { overlapping } from './overlapping-sql.js';
import { isPlaying, isRegistering, phase, TournamentPhase } from './phase.js';
import { SanctioningBody } from './sanction.js';
import { sanctionedBy } from './sanctioned-by-sql.js';

/** The filters of section 4.1 beyond those of the columns (decisions 18 and 19). */
export const tournamentFilters: Record<string, CustomFilter> = {
  days: {
    type: () => DaysFilter,
    description: 'The days on which it is played, in its own time zone. A tournament without a start has none.',
    sql: onDays,
  },
  playedAt: {
    type: () => TimesFilter,
    description:
      'The time in which it is played: from the start of its first day to the end of its last day, in its own time zone. A tournament without a start has none.',
    sql: overlapping,
  },
  sanctionedBy: someOf(
    SanctioningBody,
    'Sanctioned by these governing bodies, or with an approval of them that is neither denied nor canceled.',
    sanctionedBy,
  ),
  phase: whichOf(TournamentPhase, 'How far it is now.', phase, { PLAYING: isPlaying, REGISTERING: isRegistering }),
  isPast: when(
    'It is over: its end is past. An end at midnight in its time zone stands for that day, an absent one for the day of the start.',
    'r.over_at <= now()',
  ),
  isUpcoming: when('It is ahead: its start is.', 'r.starts_at > now()'),
  isPlaying: when('It is being played, started and not yet over, and was not called off.', isPlaying, { isFew: true }),
  isRegistering: when(
    'Registration is open: within its dates (with one of them only, open on the other side), not closed by hand, the tournament not called off.',
    isRegistering,
    { isFew: true },
  ),
  isViewerRegistered: isRegistered([registrationsFor, entriesAt]),
};
