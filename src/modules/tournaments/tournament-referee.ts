import { id, ref } from '../../kernel/declare/fields.js';
import { Kept } from '../../kernel/declare/kept.js';
import { visitor } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { staff } from '../../kernel/declare/writers.js';
import { User } from '../accounts/user.js';
import { Tournament } from './tournament.js';

@record(
  {
    table: 'tournament_referee',
    changesBy: ['tournamentId'],
    one: 'tournamentReferee',
    many: 'tournamentReferees',
    read: [visitor],
    write: { by: staff() },
    key: ['tournamentId', 'userId'],
  },
  'A person who referees at a tournament; one record for each tournament and user.',
)
export class TournamentReferee extends Kept {
  @id('Id of the assignment.')
  id!: string;

  @ref(() => Tournament, { one: 'tournament', many: 'referees', filterable: ['one'] }, 'The tournament.')
  tournamentId!: string | null;

  @ref(() => User, { one: 'user', many: 'refereeAssignments', filterable: ['one'] }, 'The referee.')
  userId!: string | null;
}
