import { type Change, columnTopic } from '../../kernel/changes/index.js';
import type { Context } from '../../kernel/declare/context.js';
import { anonymousCaller } from '../../kernel/declare/policy/caller.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { canSeeAnyAt } from '../../kernel/read/conditions/visible-changes-sql.js';
import { selectedColumns } from '../../kernel/read/select.js';
import { createChangeEventType, type EventSource } from '../../kernel/serve/change-types.js';
import { subscriptionField } from '../../kernel/serve/live-events.js';
import { canReadPlayers, hidPlayersAt, Tournament } from '../tournaments/tournament.js';
import { TournamentReferee } from '../tournaments/tournament-referee.js';
import { Match } from './match.js';
import { isMatchOfTournament } from './match-tournament-sql.js';
import { Pregame } from './pregame.js';
import { Prematch } from './prematch.js';
import { seesAllMatches } from './visible-matches.js';

/** Filters the references of a change by key, and returns their values. The format of a reference is `key=value`. */
const refValues = ({ refs }: Change, matches: (key: string) => boolean): string[] =>
  refs.flatMap((ref) => {
    const [key = '', ...value] = ref.split('=');
    return matches(key) ? [value.join('=')] : [];
  });

/** Returns the match IDs of a changed prematch or pregame. The current match ID comes first. */
const matchIdsOf = (change: Change): string[] => refValues(change, (key) => key === 'matchId');

const MatchChange = createChangeEventType(
  'MatchChange',
  'Change to a prematch, a pregame or a referee assignment of a tournament.',
  [Prematch, Pregame, TournamentReferee],
  {
    match: {
      type: () => Match,
      isNullable: true,
      description:
        'Match that the prematch or pregame belongs to, in its current state. Null for referee assignments, if the match no longer has prematches or pregames, or if the caller cannot see the match.',
      resolve: (source, _, { loaders }, info) => {
        const { change } = source as EventSource;
        const [id] = change ? matchIdsOf(change) : [];
        return id === undefined ? null : loaders.loadRow(Match, selectedColumns(Match, info), id);
      },
    },
  },
);

/**
 * Whether the caller can see the matches that a change affects. If a tournament shows its players now and did so at the time of the change,
 * all callers can see its matches, including deleted matches.
 */
async function seesMatches(change: Change, tournamentId: string, context: Context): Promise<boolean> {
  const { loaders, caller, sql } = context;
  const tournament = await loaders.loadRow(Tournament, ['hidesPlayers', 'playerListVisibility'], tournamentId);
  const isShown = tournament && canReadPlayers(anonymousCaller, tournament);
  if (seesAllMatches(caller) || (isShown && !(await hidPlayersAt(sql, tournamentId, change.position)))) return true;
  return canSeeAnyAt(sql, Match, caller, matchIdsOf(change), change.position);
}

/** Subscription to changes to the prematches, pregames and referee assignments of a tournament. */
export const liveMatches = subscriptionField<{ tournamentId: string }>({
  name: 'matches',
  type: () => MatchChange,
  description:
    'Changes to prematches, pregames and referee assignments of a tournament. A match belongs to the tournament of the teams in its prematches and pregames. Callers other than platforms, referees and admins get changes to prematches and pregames only for matches that they can see. These changes contain `match`, but neither the prematch nor the pregame, and their `changedFields` is empty.',
  policies: [visitor],
  ids: { tournamentId: 'ID of the tournament.' },
  topics: ({ tournamentId }) => ['Prematch', 'Pregame', columnTopic('TournamentReferee', 'tournamentId', tournamentId)],
  canReceive: async (change, { tournamentId }, context) => {
    if (change.record === TournamentReferee.name) return true;
    const teamIds = refValues(change, (key) => key.endsWith('TeamId'));
    return (
      (await isMatchOfTournament(context.sql, tournamentId, teamIds, matchIdsOf(change))) &&
      seesMatches(change, tournamentId, context)
    );
  },
});
