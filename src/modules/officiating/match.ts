import { createdAt, id, instant, int, ref, refs, text } from '../../kernel/declare/fields/fields.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { noWriters } from '../../kernel/declare/policy/writers.js';
import { record } from '../../kernel/declare/record.js';
import { User } from '../accounts/users/user.js';
import { Team } from '../tournaments/players/team.js';
import { Tournament } from '../tournaments/tournament.js';
import { TournamentEvent } from '../tournaments/tournament-event.js';
import { visibleMatches } from './visible-matches.js';

/** Database triggers create the rows of this record from prematches, pregames and teams. */
@record(
  {
    table: 'match',
    one: 'match',
    many: 'matches',
    read: [visitor],
    visibleCondition: visibleMatches,
    write: noWriters,
    unlogged: true,
    rootFields: ['one'],
  },
  'Match that referees have recorded. It consists of the prematches and pregames that have its match ID. Platforms, referees and admins see all matches. Other callers see the matches of tournaments that show their players. Users also see the matches that they play in.',
)
export class Match {
  @id('ID of the match on its platform.')
  id!: string;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'matches', filterable: ['one'] },
    'Tournament in which the teams play. Null if the teams are unknown.',
  )
  tournamentId!: string | null;

  @ref(
    () => TournamentEvent,
    { one: 'event', many: 'matches', filterable: ['one'] },
    'Event in which the teams play. Null if the teams are unknown.',
  )
  eventId!: string | null;

  @refs(
    () => Team,
    { list: 'teams', many: 'matches', filterable: ['list'] },
    'Teams in the prematches and pregames of the match.',
  )
  teamIds!: string[];

  @refs(() => User, {}, 'Users who recorded the match.', { secret: true, index: false })
  refereeIds!: string[];

  @text(
    'Name or number of the court. Always visible to platforms, referees and admins. Null for other callers if the tournament hides its courts (`scoreCard.hidesCourts`).',
    {
      max: 100,
      private: true,
    },
  )
  court!: string | null;

  @instant('When live scoring started.')
  scoringStartedAt!: string | null;

  @int('Number of games that have started.', { required: true, default: '0' })
  gamesStarted!: number;

  @createdAt('When the first record of the match was created.')
  createdAt!: string;
}
