import { Field, ID, InputType } from 'type-graphql';
import { FavoriteKind } from './favorite-kind.js';

@InputType({ description: 'Subject of a favorite.' })
export class FavoriteSubjectInput {
  @Field(() => FavoriteKind, { description: 'Kind of the favorite.' })
  kind!: FavoriteKind;

  @Field(() => ID, { description: 'ID of the subject, such as a tournament.' })
  subjectId!: string;
}
