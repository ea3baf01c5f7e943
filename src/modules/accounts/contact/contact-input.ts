import { Field, ID, InputType } from 'type-graphql';
import { reject } from '../../../kernel/declare/errors.js';
import { validatedBy } from '../../../kernel/declare/input-rules.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { checkEmail } from '../../../kernel/declare/scalars/email.js';
import { isLongerThan } from '../../../kernel/declare/scalars/text.js';

/** Maximum number of characters per field. */
const maxLengths: [field: 'details' | 'fullName' | 'phone', maxLength: number][] = [
  ['details', 65_536],
  ['fullName', 200],
  ['phone', 50],
];

/** Validates a contact message. Throws one error that lists all problems. */
export function checkContact(input: Partial<ContactInput>, path: string): void {
  const { email, details } = input;
  runChecks(
    () => email && checkEmail(email, `${path}email`),
    () => details === undefined || details.trim() || reject(`${path}details`, 'a message'),
    ...maxLengths.map(
      ([field, maxLength]) =>
        () =>
          !isLongerThan(input[field] ?? '', maxLength) || reject(`${path}${field}`, `at most ${maxLength} characters`),
    ),
  );
}

@validatedBy(checkContact)
@InputType({ description: 'Message to the operators.' })
export class ContactInput {
  @Field(() => ID, { nullable: true, description: 'ID of the reason, from `contactReasons`.' })
  reasonId?: string | null;

  @Field(() => String, { nullable: true, description: 'First and last name of the sender. At most 200 characters.' })
  fullName?: string | null;

  @Field(() => String, { nullable: true, description: 'Phone number of the sender. At most 50 characters.' })
  phone?: string | null;

  @Field(() => String, { nullable: true, description: 'Email address of the sender, for replies.' })
  email?: string | null;

  @Field(() => String, { description: 'Text of the message. At most 65,536 characters.' })
  details!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'ID of the platform that the message is about. Defaults to the platform of the token or key in the request.',
  })
  platformId?: string | null;

  @Field(() => ID, { nullable: true, description: 'ID of the tournament that the message is about.' })
  tournamentId?: string | null;
}
