import { expression, tableNamed } from '../../kernel/declare/expression.js';
import type { RecordOptions } from '../../kernel/declare/fields/options.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import { staffPolicies } from '../../kernel/declare/policy/writers.js';
import { visiblePlayers } from '../tournaments/tournament.js';

type VisibleRows = NonNullable<RecordOptions['visibleCondition']>;

/** Whether a caller may read all matches, prematches and pregames. */
export const seesAllMatches = (caller: Caller): boolean =>
  staffPolicies('REFEREE').some((policy) => policy.permitsCaller(caller));

const visibleTeams = visiblePlayers({
  tournament: 'tournament_id',
  event: 'event_id',
  isOwn: (callerId, row) =>
    expression`exists (select from ${tableNamed('team')} m where m.id = any(${row}.team_ids) and ${callerId} in (m.player_one_id, m.player_two_id))`,
});

/**
 * Returns the SQL condition for visible matches. Callers other than platforms, referees and admins see a match if they can see its teams
 * and its tournament exists.
 */
export const visibleMatches: VisibleRows = (caller, row) => {
  const teamsCondition = visibleTeams(caller, row);
  return teamsCondition && expression`(${row}.tournament_id is not null and ${teamsCondition})`;
};
