import { Field, ID, InputType } from 'type-graphql';
import { enumeration } from '../../../kernel/declare/enumeration.js';
import { createdAt, id, ref, text, values } from '../../../kernel/declare/fields/fields.js';
import { platform, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { User } from '../../accounts/users/user.js';

/** Kinds of favorites: module types (section 2.2) and favorites of the game scheduler (section 2.15). */
export const FavoriteKind = enumeration('FavoriteKind', 'Kind of favorite.', {
  TOURNAMENT: 'Tournament.',
  CLINIC: 'Clinic of a platform. Not a record in this graph.',
  LEAGUE: 'League.',
  CLUB: 'Club.',
  GAME: 'Game of the scheduler.',
  COURT: 'Court of a platform, as in `Game.courtId`. Not a record in this graph.',
});
export type FavoriteKind = keyof typeof FavoriteKind;

@InputType({ description: 'Subject of a favorite.' })
export class FavoriteSubjectInput {
  @Field(() => FavoriteKind, { description: 'Kind of the favorite.' })
  kind!: FavoriteKind;

  @Field(() => ID, { description: 'ID of the subject, such as a tournament.' })
  subjectId!: string;
}

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
