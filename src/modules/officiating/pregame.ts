import { integerInNumber } from '../../kernel/declare/fields/converted-fields.js';
import { id, ref, text } from '../../kernel/declare/fields/fields.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../kernel/declare/policy/writers.js';
import { record } from '../../kernel/declare/record.js';
import { type Reported, reportedHistoryOrNow, TrackedRecord } from '../../kernel/declare/tracked-record.js';
import { User } from '../accounts/users/user.js';
import { Team } from '../tournaments/players/team.js';

@record(
  {
    table: 'pregame',
    changeLogColumns: ['matchId', 'servingTeamId', 'receivingTeamId', 'leftTeamId', 'rightTeamId'],
    one: 'pregame',
    many: 'pregames',
    read: staffPolicies('REFEREE'),
    // All callers may select lists such as `Match.pregames`, but the lists are empty for callers without `read` permission.
    readRelated: [visitor],
    write: { policies: staffPolicies('REFEREE') },
  },
  "The referee's preparation of one game in a match: serving team, first servers and sides of the court.",
)
export class Pregame extends TrackedRecord {
  @id('ID of the pregame.')
  id!: string;

  @text('ID of the match on the platform. Not an ID in this graph.', { max: 255, index: true, comparison: 'exact' })
  matchId!: string | null;

  @integerInNumber('Number of the game in the match.')
  gameNumber!: number | null;

  @ref(() => Team, { one: 'servingTeam' }, 'Team that serves first.', { index: false })
  servingTeamId!: string | null;

  @ref(() => Team, { one: 'receivingTeam' }, 'Team that receives first.', { index: false })
  receivingTeamId!: string | null;

  @ref(() => Team, { one: 'leftTeam' }, 'Team to the left of the umpire.', { index: false })
  leftTeamId!: string | null;

  @ref(() => Team, { one: 'rightTeam' }, 'Team to the right of the umpire.', { index: false })
  rightTeamId!: string | null;

  @ref(() => User, { one: 'teamOneFirstServer' }, 'Player who serves first for the first team.', { index: false })
  teamOneFirstServerId!: string | null;

  @ref(() => User, { one: 'teamTwoFirstServer' }, 'Player who serves first for the second team.', { index: false })
  teamTwoFirstServerId!: string | null;

  @reportedHistoryOrNow()
  reported!: Reported;
}
