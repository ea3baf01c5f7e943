import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allow, user } from '../../../kernel/declare/policy/policy.js';
import { ownerRestrictionOf } from '../../../kernel/declare/policy/writers.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { remove } from '../../../kernel/write/save.js';
import { EventRegistration, entryWriters } from '../entries/event-registration.js';
import { registerTeam, registerTeams } from '../entries/register-team.js';
import { RegisterTeamInput, RegisterTeamsInput } from '../entries/register-team-input.js';
import { Registration, registrationWriters } from '../entries/registration.js';
import { withdraw, withdrawRegistration } from '../entries/withdraw.js';
import { confirmInvitation, declineInvitation } from '../invitations/answer-invitation.js';
import { TeamInvitation } from '../invitations/team-invitation.js';
import { Team } from './team.js';

const invitationIdDescription = 'ID of the invitation.';
const withdrawalDescription =
  'Also deletes the team and the entry of the partner, which frees the place, and notifies the partner. Invoice items for the entries are deleted if nothing was paid for them. Otherwise, they are no longer due, and the platform must refund the payments minus service fees. `refunds` in the result contains the amounts. CONFLICT if the tournament has started.';

/** Mutations for players: registrations, responses to invitations, and withdrawals. */
@Resolver()
export class PlayerResolver {
  @allow(user)
  @Mutation(() => Team, {
    description:
      'Enters the signed-in user in an event, alone or with a partner. Creates the team, the entries in the event, and missing registrations for the tournament. The service notifies the partner, in the app or by email. The partner must confirm (`teamInvitations`), and the place is reserved until then. Partners can be invited again after they decline. Formats with `needsPartner` require a partner, other formats allow none, and events without a format allow both. CONFLICT if registration is not open, the event has `maxTeams` teams, or one of the players is already in the event. BAD_INPUT if a player does not meet the gender or age requirements of the `playerGroup` or the format on the day when the event starts. The age of the partner is checked when the partner confirms.',
  })
  registerTeam(
    @Arg('input', () => RegisterTeamInput, { description: 'Event to enter, and an optional partner.' }) input: RegisterTeamInput,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Team>> {
    return registerTeam(context, input, selectedColumns(Team, info));
  }

  @allow(user)
  @Mutation(() => [Team], {
    description:
      'Enters the signed-in user in several events of one tournament: either in all of them or in none. The rules and errors are the same as for `registerTeam`. An error names the failing event: `field` is a path such as `input.events[1]` or `input.events[1].partnerId`, and the message starts with it. Returns the teams in the order of the events. `checkout` invoices all of them together.',
  })
  registerTeams(
    @Arg('input', () => RegisterTeamsInput, { description: 'Events to enter, each with an optional partner.' })
    input: RegisterTeamsInput,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Team>[]> {
    return registerTeams(context, input, selectedColumns(Team, info));
  }

  @allow(user)
  @Mutation(() => TeamInvitation, {
    description:
      'Confirms a team invitation sent to the signed-in user. The inviter is notified. No effect if the invitation is already confirmed. FORBIDDEN unless the user is the invited player. CONFLICT if the invitation was declined or withdrawn, or the user does not meet the gender or age requirements of the event.',
  })
  confirmTeamInvitation(
    @Arg('id', () => ID, { description: invitationIdDescription }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<TeamInvitation>> {
    return confirmInvitation(context, id, selectedColumns(TeamInvitation, info));
  }

  @allow(user)
  @Mutation(() => TeamInvitation, {
    description:
      'Declines a team invitation sent to the signed-in user. Deletes the team and its entries, which frees the place, and notifies the inviter. No effect if the invitation is already declined. FORBIDDEN unless the user is the invited player. CONFLICT if the invitation was confirmed or withdrawn.',
  })
  declineTeamInvitation(
    @Arg('id', () => ID, { description: invitationIdDescription }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<TeamInvitation>> {
    return declineInvitation(context, id, selectedColumns(TeamInvitation, info));
  }

  @allow(user)
  @Mutation(() => EventRegistration, {
    description: `Withdraws the signed-in user from an event and returns their entry. If it was the last entry, the registration for the tournament is also deleted. ${withdrawalDescription} FORBIDDEN for entries of other users.`,
  })
  withdraw(
    @Arg('id', () => ID, { description: 'ID of the event registration (entry).' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<EventRegistration>> {
    return withdraw(context, id, selectedColumns(EventRegistration, info));
  }

  @allow(user)
  @Mutation(() => Registration, {
    description: `Withdraws the signed-in user from a tournament and all its events, and returns the registration. ${withdrawalDescription} FORBIDDEN for registrations of other users.`,
  })
  withdrawRegistration(
    @Arg('id', () => ID, { description: 'ID of the registration for the tournament.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Registration>> {
    return withdrawRegistration(context, id, selectedColumns(Registration, info));
  }

  @allowWriters(EventRegistration)
  @Mutation(() => EventRegistration, {
    description:
      'Deletes an event registration and returns it. NOT_FOUND: unknown ID. If players delete their own registration, the effects and errors are the same as for `withdraw`.',
  })
  deleteEventRegistration(
    @Arg('id', () => ID, { description: 'ID of the event registration.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<EventRegistration>> {
    const returning = selectedColumns(EventRegistration, info);
    return ownerRestrictionOf(entryWriters, context.caller)
      ? withdraw(context, id, returning)
      : remove(context, EventRegistration, id, returning);
  }

  @allowWriters(Registration)
  @Mutation(() => Registration, {
    description:
      'Deletes a registration and returns it. NOT_FOUND: unknown ID. If players delete their own registration, the effects and errors are the same as for `withdrawRegistration`.',
  })
  deleteRegistration(
    @Arg('id', () => ID, { description: 'ID of the registration.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Registration>> {
    const returning = selectedColumns(Registration, info);
    return ownerRestrictionOf(registrationWriters, context.caller)
      ? withdrawRegistration(context, id, returning)
      : remove(context, Registration, id, returning);
  }
}
