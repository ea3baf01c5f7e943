import { Field, ID, InputType } from 'type-graphql';
import { FavoriteKind } from './favorite-kind.js';

@InputType({ description: 'What a favorite points to.' })
export class FavoriteSubjectInput {
  @Field(() => FavoriteKind, { description: 'Kind of subject.' })
  kind!: FavoriteKind;

  @Field(() => ID, { description: 'ID of the tournament, league, club and so on.' })
  subjectId!: string;
}
