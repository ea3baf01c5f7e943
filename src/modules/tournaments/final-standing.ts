import { integerInNumber } from '../../kernel/declare/fields/converted-fields.js';
import { id, ref } from '../../kernel/declare/fields/fields.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../kernel/declare/policy/writers.js';
import { record } from '../../kernel/declare/record.js';
import { type Reported, reportedHistory, TrackedRecord } from '../../kernel/declare/tracked-record.js';
import { Team } from './players/team.js';
import { visibleStandings } from './players/visible-players.js';
import { TournamentEvent } from './tournament-event.js';

@record(
  {
    table: 'final_standing',
    changeLogColumns: ['eventId', 'teamId'],
    one: 'finalStanding',
    many: 'finalStandings',
    read: [visitor],
    visibleCondition: visibleStandings,
    write: { policies: staffPolicies() },
    key: ['eventId', 'teamId'],
    order: [{ field: 'finalRanking', direction: 'ASC' }],
  },
  'Final position of a team in an event. One record per event and team.',
)
export class FinalStanding extends TrackedRecord {
  @id('ID of the standing.')
  id!: string;

  @ref(() => TournamentEvent, { one: 'event', many: 'standings', filterable: ['one'] }, 'Event in which the team played.')
  eventId!: string | null;

  @ref(() => Team, { one: 'team', many: 'standings' }, 'Team that reached this position.')
  teamId!: string | null;

  @integerInNumber('Final position of the team. 1 is the winner.')
  finalRanking!: number | null;

  @reportedHistory()
  reported!: Reported;
}
