import { Field, ID, InputType } from 'type-graphql';
import { checkEmail } from '../../kernel/declare/email.js';
import { reject } from '../../kernel/declare/errors.js';
import { heldBy } from '../../kernel/declare/input-rules.js';
import { allOf } from '../../kernel/declare/problems.js';
import { isLongerThan } from '../../kernel/declare/text-length.js';

/** Most characters of each text. */
const longest: [field: 'details' | 'fullName' | 'phone', most: number][] = [
  ['details', 65_536],
  ['fullName', 200],
  ['phone', 50],
];

/** Names all that is wrong with a message. */
export function checkContact(input: Partial<ContactInput>, path: string): void {
  const { email, details } = input;
  allOf(
    () => email && checkEmail(email, `${path}email`),
    () => details === undefined || details.trim() || reject(`${path}details`, 'a message'),
    ...longest.map(
      ([field, most]) =>
        () =>
          !isLongerThan(input[field] ?? '', most) || reject(`${path}${field}`, `at most ${most} characters`),
    ),
  );
}

@heldBy(checkContact)
@InputType({ description: 'A message to the operators.' })
export class ContactInput {
  @Field(() => ID, { nullable: true, description: 'Id of the reason, from `contactReasons`.' })
  reasonId?: string | null;

  @Field(() => String, { nullable: true, description: 'First and last name of the writer.' })
  fullName?: string | null;

  @Field(() => String, { nullable: true, description: 'Phone number of the writer.' })
  phone?: string | null;

  @Field(() => String, { nullable: true, description: 'E-mail address of the writer, to which an answer goes.' })
  email?: string | null;

  @Field(() => String, { description: 'The message, at most 65,536 characters.' })
  details!: string;

  @Field(() => ID, { nullable: true, description: 'The platform it is about; if absent, the one whose token or key is sent.' })
  platformId?: string | null;

  @Field(() => ID, { nullable: true, description: 'The tournament it is about.' })
  tournamentId?: string | null;
}
