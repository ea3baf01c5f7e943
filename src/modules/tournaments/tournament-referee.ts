import { id, ref } from '../../kernel/declare/fields/fields.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../kernel/declare/policy/writers.js';
import { record } from '../../kernel/declare/record.js';
import { TrackedRecord } from '../../kernel/declare/tracked-record.js';
import { User } from '../accounts/users/user.js';
import { Tournament } from './tournament.js';

@record(
  {
    table: 'tournament_referee',
    changeLogColumns: ['tournamentId'],
    one: 'tournamentReferee',
    many: 'tournamentReferees',
    read: [visitor],
    write: { policies: staffPolicies() },
    key: ['tournamentId', 'userId'],
  },
  'Assignment of a referee to a tournament. One record per tournament and user.',
)
export class TournamentReferee extends TrackedRecord {
  @id('ID of the assignment.')
  id!: string;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'referees', filterable: ['one'] },
    'Tournament that the referee is assigned to.',
  )
  tournamentId!: string | null;

  @ref(() => User, { one: 'user', many: 'refereeAssignments', filterable: ['one'] }, 'User account of the referee.')
  userId!: string | null;
}
