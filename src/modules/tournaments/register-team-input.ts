import { Field, ID, InputType } from 'type-graphql';
import { emailForm } from '../../kernel/declare/email.js';
import { reject } from '../../kernel/declare/errors.js';
import { heldBy } from '../../kernel/declare/input-rules.js';
import { allOf } from '../../kernel/declare/problems.js';

/** Names all that is wrong with what a player enters, as far as it needs no look at the event. */
export function checkTeam({ eventId, partnerId, partnerEmail }: Partial<RegisterTeamInput>, path: string): void {
  const given = (value: unknown) => value !== undefined && value !== null;
  allOf(
    () => eventId === '' && reject(`${path}eventId`, 'the id of an event'),
    () => partnerId === '' && reject(`${path}partnerId`, 'the id of a user'),
    () => partnerEmail && !emailForm.fits(partnerEmail) && reject(`${path}partnerEmail`, emailForm.expected),
    () => partnerEmail === '' && reject(`${path}partnerEmail`, emailForm.expected),
    () =>
      given(partnerId) &&
      given(partnerEmail) &&
      reject(`${path}partnerEmail`, 'no address, because `partnerId` names the partner'),
  );
}

@heldBy(checkTeam)
@InputType({ description: 'The entry of the signed-in user in an event, alone or with a partner.' })
export class RegisterTeamInput {
  @Field(() => ID, { description: 'Id of the event.' })
  eventId!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'Id of the partner, in events that are played in pairs: another user. Either this or `partnerEmail`.',
  })
  partnerId?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'E-mail address of the partner, in events that are played in pairs. Who has proven that it is theirs, or proves it later, can confirm.',
  })
  partnerEmail?: string | null;
}
