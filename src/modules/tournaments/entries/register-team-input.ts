import { Field, ID, InputType } from 'type-graphql';
import { pathIn, reject } from '../../../kernel/declare/errors.js';
import { validatedBy } from '../../../kernel/declare/input-rules.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { emailFormat } from '../../../kernel/declare/scalars/email.js';

/** Validates an entry without database access. Reports all problems together. */
export function checkTeamInput({ eventId, partnerId, partnerEmail }: Partial<RegisterTeamInput>, path: string): void {
  const isPresent = (value: unknown) => value !== undefined && value !== null;
  runChecks(
    () => eventId === '' && reject(`${path}eventId`, 'the id of an event'),
    () => partnerId === '' && reject(`${path}partnerId`, 'the id of a user'),
    () => partnerEmail && !emailFormat.matches(partnerEmail) && reject(`${path}partnerEmail`, emailFormat.expected),
    () => partnerEmail === '' && reject(`${path}partnerEmail`, emailFormat.expected),
    () =>
      isPresent(partnerId) && isPresent(partnerEmail) && reject(`${path}partnerEmail`, 'no value, because `partnerId` is set'),
  );
}

@validatedBy(checkTeamInput)
@InputType({ description: 'Entry of the signed-in user in an event, alone or with a partner.' })
export class RegisterTeamInput {
  @Field(() => ID, { description: 'ID of the event.' })
  eventId!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'User ID of the partner, for events that are played in pairs. Cannot be combined with `partnerEmail`.',
  })
  partnerId?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Email address of the partner, for events that are played in pairs. Any user who verifies this address, before or after the invitation, can confirm.',
  })
  partnerEmail?: string | null;
}

/** Maximum number of events in one registration or quote. */
const maxEvents = 20;

/** Validates the events of an input without database access. Reports all problems together. */
export function checkTeamsInput({ events }: { events?: readonly RegisterTeamInput[] }, path: string): void {
  const field = `${path}events`;
  if (events && (events.length === 0 || events.length > maxEvents)) reject(field, `1 to ${maxEvents} events`);
  runChecks(...(events ?? []).map((event, index) => () => checkTeamInput(event, `${pathIn(field, index)}.`)));
}

@validatedBy(checkTeamsInput)
@InputType({ description: 'Entries of the signed-in user in several events of a tournament.' })
export class RegisterTeamsInput {
  @Field(() => [RegisterTeamInput], {
    description: `1 to ${maxEvents} events of one tournament, each at most once, each with an optional partner.`,
  })
  events!: RegisterTeamInput[];
}
