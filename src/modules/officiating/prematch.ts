import { id, instant, ref, text } from '../../kernel/declare/fields/fields.js';
import { staffPolicies } from '../../kernel/declare/policy/writers.js';
import { record } from '../../kernel/declare/record.js';
import { type Reported, reportedHistoryOrNow, TrackedRecord } from '../../kernel/declare/tracked-record.js';
import { Team } from '../tournaments/players/team.js';

@record(
  {
    table: 'prematch',
    changeLogColumns: ['matchId', 'coinTossTeamId'],
    one: 'prematch',
    many: 'prematches',
    read: staffPolicies('REFEREE'),
    write: { policies: staffPolicies('REFEREE') },
  },
  'Preparation of a match by the referee: setup, warm-up and coin toss.',
)
export class Prematch extends TrackedRecord {
  @id('ID of the prematch.')
  id!: string;

  @text('ID of the match on the platform. Not an ID in this graph.', { max: 255, index: true, comparison: 'exact' })
  matchId!: string | null;

  @text('Name or number of the court.', { max: 100 })
  court!: string | null;

  @instant('When the setup of the match started.')
  setupStartedAt!: string | null;

  @instant('When the players entered the court.')
  playersOnCourtAt!: string | null;

  @instant('When the warm-up started.')
  warmupStartedAt!: string | null;

  @text('Note on the first player of the first team.')
  teamOnePlayerOneNote!: string | null;

  @text('Note on the second player of the first team.')
  teamOnePlayerTwoNote!: string | null;

  @text('Note on the first player of the second team.')
  teamTwoPlayerOneNote!: string | null;

  @text('Note on the second player of the second team.')
  teamTwoPlayerTwoNote!: string | null;

  @instant('When the coin was tossed.')
  coinTossedAt!: string | null;

  @ref(() => Team, { one: 'coinTossTeam' }, 'Team that won the coin toss.', { index: false })
  coinTossTeamId!: string | null;

  @instant('When live scoring started.')
  scoringStartedAt!: string | null;

  @reportedHistoryOrNow()
  reported!: Reported;
}
