import { id, ref } from '../../kernel/fields.js';
import { platform, visitor } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';
import { User } from '../accounts/user.js';
import { Tournament } from './tournament.js';

@record(
  {
    table: 'tournament_referee',
    one: 'tournamentReferee',
    many: 'tournamentReferees',
    read: [visitor],
    write: [platform],
    key: ['tournamentId', 'userId'],
  },
  'A person who referees at a tournament (sections 2.11 and 4.10); one record a tournament and user.',
)
export class TournamentReferee {
  @id('Id of the assignment.')
  id!: string;

  @ref(() => Tournament, { one: 'tournament', many: 'referees' }, 'The tournament.')
  tournamentId!: string | null;

  @ref(() => User, { one: 'user', many: 'refereeAssignments' }, 'The referee.')
  userId!: string | null;
}
