import { createdAt, id, ref, text, values } from '../../kernel/declare/fields.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { User } from '../accounts/user.js';
import { FavoriteKind } from './favorite-kind.js';

@record(
  {
    table: 'favorite',
    changesBy: ['userId'],
    one: 'favorite',
    many: 'favorites',
    read: [platform, user],
    write: { by: [platform], owner: 'userId' },
    person: { by: 'userId', goes: true },
    rootFields: ['one', 'many'],
    key: ['userId', 'kind', 'subjectId'],
    seenBy: 'userId',
  },
  'Something that a user wants to find again, such as a tournament; one record for each user and subject. Users see their own, platforms all.',
)
export class Favorite {
  @id('Id of the favorite.')
  id!: string;

  @ref(() => User, { one: 'user', many: 'favorites' }, 'Whose favorite it is.')
  userId!: string | null;

  @values(FavoriteKind, 'What it is.', { required: true })
  kind!: FavoriteKind;

  @text('Id of the tournament, league, club and so on. Kept as it is sent; the relations are null where no record has it.', {
    required: true,
    max: 255,
  })
  subjectId!: string;

  @createdAt('When it was added.')
  createdAt!: string;
}
