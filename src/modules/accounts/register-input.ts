import { Field, ID, InputType } from 'type-graphql';
import { Day, Instant } from '../../kernel/declare/scalars.js';
import { Gender } from './user.js';

@InputType({ description: 'Registration of a person.' })
export class RegisterInput {
  @Field(() => String, { description: 'E-mail address, with which one signs in.' })
  email!: string;

  @Field(() => String, { description: 'Password, 8 to 200 characters.' })
  password!: string;

  @Field(() => String, { nullable: true, description: 'First name.' })
  firstName?: string | null;

  @Field(() => String, { nullable: true, description: 'Last name.' })
  lastName?: string | null;

  @Field(() => String, { nullable: true, description: 'Phone number, international or of the country named.' })
  phone?: string | null;

  @Field(() => ID, { nullable: true, description: 'Country of the phone number; without one, the United States.' })
  phoneCountryId?: string | null;

  @Field(() => Gender, { nullable: true, description: 'Category of play.' })
  gender?: 'F' | 'M' | null;

  @Field(() => Day, { nullable: true, description: 'Date of birth.' })
  dateOfBirth?: string | null;

  @Field(() => Instant, {
    nullable: true,
    description: 'The date of birth as the legacy interface sends it: a moment of that day in UTC. One of the two is given.',
  })
  dateOfBirthRaw?: string | null;

  @Field(() => ID, { nullable: true, description: 'Country of residence.' })
  countryId?: string | null;

  @Field(() => ID, { nullable: true, description: 'State of residence.' })
  stateId?: string | null;

  @Field(() => String, { nullable: true, description: 'Postal code.' })
  zip?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Page to which the link in the mail leads, of an origin on the platform's list; without one, the service's own.",
  })
  customUrl?: string | null;
}
