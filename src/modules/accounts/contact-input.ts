import { Field, ID, InputType } from 'type-graphql';

@InputType({ description: 'A message to the operators.' })
export class ContactInput {
  @Field(() => ID, { nullable: true, description: 'Id of the reason, from `contactReasons`.' })
  reasonId?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the writer.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Phone number of the writer.' })
  phone?: string | null;

  @Field(() => String, { nullable: true, description: 'E-mail address of the writer, to which an answer goes.' })
  email?: string | null;

  @Field(() => String, { description: 'The message, at most 10,000 characters.' })
  details!: string;

  @Field(() => ID, { nullable: true, description: 'The platform it is about; if absent, the one whose token or key is sent.' })
  platformId?: string | null;

  @Field(() => ID, { nullable: true, description: 'The tournament it is about.' })
  tournamentId?: string | null;
}
