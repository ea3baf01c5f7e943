import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, user } from '../../kernel/declare/policy.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { heldTo } from '../../kernel/declare/writers.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { remove } from '../../kernel/write/save.js';
import { confirmInvitation, declineInvitation } from './answer-invitation.js';
import { EventRegistration, entryWriters } from './event-registration.js';
import { registerTeam, registerTeams } from './register-team.js';
import { RegisterTeamInput } from './register-team-input.js';
import { RegisterTeamsInput } from './register-teams-input.js';
import { Registration, registrationWriters } from './registration.js';
import { Team } from './team.js';
import { TeamInvitation } from './team-invitation.js';
import { withdraw, withdrawRegistration } from './withdraw.js';

const invitationId = 'Id of the invitation.';
const consequences =
  'The team leaves its event with both players, so that its place is free; the partner is notified. Unpaid invoice items of it are deleted. Nobody owes the other ones any more, and what was paid for them is to be refunded, less service fees: `refunds` of the answer has the amounts, which the platform pays. CONFLICT once play has begun.';

/** What players do about tournaments themselves. */
@Resolver()
export class PlayerResolver {
  @allow(user)
  @Mutation(() => Team, {
    description:
      'Enters the signed-in user in an event, alone or with a partner: makes the team, the registrations for the tournament where they are missing, and the entries in the event. The partner is notified, or gets a mail, and is asked to confirm (`teamInvitations`); the place is kept meanwhile. Who has declined may be asked again. CONFLICT while registration is not open, when the event has `maxTeams` teams, or when one of the players is in it already. An event of a format that `needsPartner` takes pairs, one of another format single players; one without a format takes both. BAD_INPUT, naming the event or the partner, where the `playerGroup` of the event, or its format, is for another category of play or another age on the day of its start; a partner whose age does not fit is told so when they confirm.',
  })
  registerTeam(
    @Arg('input', () => RegisterTeamInput, { description: 'The event, and the partner.' }) input: RegisterTeamInput,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Team>> {
    return registerTeam(context, input, columnsWanted(Team, info));
  }

  @allow(user)
  @Mutation(() => [Team], {
    description:
      'Enters the signed-in user in several events of one tournament, all or none, by the rules and with the errors of `registerTeam`. An error names the failing event: `field` is a path such as `input.events[1]` or `input.events[1].partnerId`, and the message begins with it. Returns the teams in the order of the events. `checkout` invoices all of them together.',
  })
  registerTeams(
    @Arg('input', () => RegisterTeamsInput, { description: 'Events to enter, each with an optional partner.' })
    input: RegisterTeamsInput,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Team>[]> {
    return registerTeams(context, input, columnsWanted(Team, info));
  }

  @allow(user)
  @Mutation(() => TeamInvitation, {
    description:
      'The signed-in user plays in the team to which they are invited; who has registered it is notified. FORBIDDEN for others than the invited player, CONFLICT once it was declined or withdrawn, and where the event is not for the category of play or the age of the partner. Confirmed again it changes nothing.',
  })
  confirmTeamInvitation(
    @Arg('id', () => ID, { description: invitationId }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<TeamInvitation>> {
    return confirmInvitation(context, id, columnsWanted(TeamInvitation, info));
  }

  @allow(user)
  @Mutation(() => TeamInvitation, {
    description:
      'The signed-in user does not play in the team to which they are invited: it leaves its event, so that its place is free, and who has registered it is notified. FORBIDDEN for others than the invited player, CONFLICT once it was confirmed or withdrawn. Declined again it changes nothing.',
  })
  declineTeamInvitation(
    @Arg('id', () => ID, { description: invitationId }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<TeamInvitation>> {
    return declineInvitation(context, id, columnsWanted(TeamInvitation, info));
  }

  @allow(user)
  @Mutation(() => EventRegistration, {
    description: `Withdraws the signed-in user from one event and returns their entry as it was; with the last entry goes the registration for the tournament. ${consequences} FORBIDDEN for the entries of others.`,
  })
  withdraw(
    @Arg('id', () => ID, { description: 'Id of the event registration, which is the entry in the event.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<EventRegistration>> {
    return withdraw(context, id, columnsWanted(EventRegistration, info));
  }

  @allow(user)
  @Mutation(() => Registration, {
    description: `Withdraws the signed-in user from a tournament, which is from all its events, and returns the registration as it was. ${consequences} FORBIDDEN for the registrations of others.`,
  })
  withdrawRegistration(
    @Arg('id', () => ID, { description: 'Id of the registration for the tournament.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Registration>> {
    return withdrawRegistration(context, id, columnsWanted(Registration, info));
  }

  @writes(EventRegistration)
  @Mutation(() => EventRegistration, {
    description:
      'Deletes an event registration and returns its last state. NOT_FOUND for an unknown id. If a player deletes their own, the effects and errors are those of `withdraw`.',
  })
  deleteEventRegistration(
    @Arg('id', () => ID, { description: 'Id of the event registration.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<EventRegistration>> {
    const returning = columnsWanted(EventRegistration, info);
    return heldTo(entryWriters, context.caller)
      ? withdraw(context, id, returning)
      : remove(context, EventRegistration, id, returning);
  }

  @writes(Registration)
  @Mutation(() => Registration, {
    description:
      'Deletes a registration and returns its last state. NOT_FOUND for an unknown id. If a player deletes their own, the effects and errors are those of `withdrawRegistration`.',
  })
  deleteRegistration(
    @Arg('id', () => ID, { description: 'Id of the registration.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Registration>> {
    const returning = columnsWanted(Registration, info);
    return heldTo(registrationWriters, context.caller)
      ? withdrawRegistration(context, id, returning)
      : remove(context, Registration, id, returning);
  }
}
