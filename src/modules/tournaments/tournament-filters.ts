import {
  currentTimestamp,
  expression,
  parameter,
  type RowReference,
  type SqlExpression,
} from '../../kernel/declare/expression.js';
import type { CustomFilter } from '../../kernel/declare/fields/options.js';
import { booleanFilter, enumFilter, enumListFilter } from '../../kernel/read/conditions/custom-filters.js';
import { governingBodyIds } from '../reference/records/tournament-lookups.js';
import { approvalStatuses } from './choices.js';
import { daysCondition, timesCondition } from './dates/days-condition-sql.js';
import { DaysFilter, TimesFilter } from './dates/days-filter.js';
import { isPlaying, isRegistering, phase, TournamentPhase } from './dates/phase.js';
import { enteredTournamentIds, registeredFilter, registeredTournamentIds } from './entries/registered-filter-sql.js';
import { SanctioningBody } from './sanction.js';

/** Returns the SQL condition that an approval is neither denied nor canceled. An approval without a status counts as valid. */
const isValid = (status: SqlExpression, row: RowReference): SqlExpression =>
  expression`coalesce(${approvalStatuses.conversion.sql(status, row)}, '') not in ('DENIED', 'CANCELED')`;

/** Returns the SQL condition that at least one of the governing bodies sanctions the tournament, or has a valid approval for it. */
function sanctionedBy(codes: readonly string[], row: RowReference): SqlExpression {
  const containsAny = (column: string, entries: object[]) =>
    expression`${row.column(column)} @> any(${parameter(entries.map((entry) => JSON.stringify([entry])))}::text[]::jsonb[])`;
  const sanctions = codes.map((body) => ({ body, isSanctioned: true }));
  const ids = codes.flatMap((code) => governingBodyIds.get(code) ?? []);
  const approvals = ids.map((governingBodyId) => ({ governingBodyId }));
  const hasValidApproval = expression`exists (select from jsonb_array_elements(${row}.approvals) entry
    where entry ->> 'governingBodyId' = any(${parameter(ids)}::text[]) and ${isValid(expression`(entry ->> 'status')`, row)})`;
  // The `@>` conditions can use indexes, but do not check the status of an approval.
  return expression`(${containsAny('sanctions', sanctions)} or (${containsAny('approvals', approvals)} and ${hasValidApproval}))`;
}

/** Filters for tournaments that the kernel does not derive from the fields (section 4.1, decisions 18 and 19). */
export const tournamentFilters: Record<string, CustomFilter> = {
  days: {
    type: () => DaysFilter,
    description: 'Days on which the tournament takes place, in its own time zone. Tournaments without a start never match.',
    sql: daysCondition,
  },
  playedAt: {
    type: () => TimesFilter,
    description:
      'Time during which the tournament takes place: from the start of its first day to the end of its last day. Days start and end in the time zone of the tournament. Tournaments without a start never match.',
    sql: timesCondition,
  },
  sanctionedBy: enumListFilter(
    SanctioningBody,
    'Tournaments that one of these governing bodies sanctions, or that have an approval by one of them that is neither denied nor canceled.',
    sanctionedBy,
  ),
  phase: enumFilter(TournamentPhase, 'Current phase.', phase, { PLAYING: isPlaying, REGISTERING: isRegistering }),
  isPast: booleanFilter(
    "Whether the tournament has ended. An end at midnight in the tournament's time zone means the end of that day, and a missing end means the end of the first day.",
    (row) => expression`${row}.effective_ends_at <= ${currentTimestamp}`,
  ),
  isUpcoming: booleanFilter(
    'Whether the tournament starts in the future.',
    (row) => expression`${row}.starts_at > ${currentTimestamp}`,
  ),
  isPlaying: booleanFilter('Whether the tournament is in progress: started, not finished and not canceled.', isPlaying, {
    isSelective: true,
  }),
  isRegistering: booleanFilter(
    'Whether registration is open: the current time is between its dates, it was not closed manually, and the tournament is not canceled. If only one date is missing, there is no limit at that end. If both dates are missing, registration is not open.',
    isRegistering,
    { isSelective: true },
  ),
  isViewerRegistered: registeredFilter([registeredTournamentIds, enteredTournamentIds]),
};
