import { createdAt, id, ref, text, values } from '../../../kernel/declare/fields/fields.js';
import { platform, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { User } from '../../accounts/users/user.js';
import { FavoriteKind } from './favorite-kind.js';

@record(
  {
    table: 'favorite',
    changeLogColumns: ['userId'],
    one: 'favorite',
    many: 'favorites',
    read: [platform, user],
    write: { policies: [platform], owner: 'userId' },
    person: { field: 'userId', deletesRows: true },
    rootFields: ['one', 'many'],
    key: ['userId', 'kind', 'subjectId'],
    ownerField: 'userId',
  },
  'Favorite of a user, such as a tournament. Unique per user and subject. Users see their own favorites. Platforms see all.',
)
export class Favorite {
  @id('ID of the favorite.')
  id!: string;

  @ref(() => User, { one: 'user', many: 'favorites' }, 'Owner of the favorite.', { required: true })
  userId!: string;

  @values(FavoriteKind, 'Kind of the subject.', { required: true })
  kind!: FavoriteKind;

  @text('ID of the tournament, league, club, game, clinic or court. The relations are null if no record has this ID.', {
    required: true,
    max: 255,
  })
  subjectId!: string;

  @createdAt('When the favorite was added.')
  createdAt!: string;
}
