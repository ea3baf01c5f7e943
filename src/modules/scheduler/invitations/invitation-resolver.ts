import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allOf, alwaysTrue, anyOf, expression, parameter } from '../../../kernel/declare/expression.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { allow, anyone, platform, user } from '../../../kernel/declare/policy/policy.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { relatedRecords } from '../../../kernel/serve/relations.js';
import { User } from '../../accounts/users/user.js';
import { Game } from '../games/game.js';
import { playersRestriction } from '../games/game-access.js';
import { declineForUser, declineMailedInvitation } from './decline-invitation.js';
import { inviteToGame } from './invite-to-game.js';
import { GameInvitation, readInvitation } from './mailed-invitation.js';

/** Relation `User.gameInvitations`. Invitations by email address are visible only to the user, and to platforms without a user token. */
export const invitations = relatedRecords(
  User,
  'gameInvitations',
  Game,
  (caller, row) => {
    const { key } = row;
    const byId = expression`${row}.invited_ids @> array[${key}]`;
    const byAddress = expression`${row}.invited_by_email_ids @> array[${key}]`;
    const listsCondition = playersRestriction.condition(caller, row) ?? alwaysTrue;
    if (!caller.user) return caller.platform ? anyOf([byId, byAddress]) : allOf([byId, listsCondition]);
    const belongsToCaller = expression`${key} = ${parameter(caller.user.id)}`;
    return expression`${byId} and (${belongsToCaller} or ${listsCondition}) or ${byAddress} and ${belongsToCaller}`;
  },
  'Games that the user is invited to, by ID or by email address. Invitations by email address are visible only to the user, and to platforms without a user token. Other callers see an invitation by ID only if they can see the invited users of the game.',
  { isFilterable: true },
);

const gameIdDescription = 'ID of the game.';
const valueDescription = 'Value at the end of the link in the invitation email.';

/** Queries and mutations for invitations to games. */
@Resolver()
export class InvitationResolver {
  @allowWriters(Game)
  @Mutation(() => Game, {
    description:
      'Invites more players to a game, by ID or by email address. New invitees and invitees who declined earlier are notified as described for `scheduleGame`. BAD_INPUT for unknown user IDs and for more than 100 addresses. CONFLICT if the game is archived. FORBIDDEN unless the caller manages the game.',
  })
  inviteToGame(
    @Arg('gameId', () => ID, { description: gameIdDescription }) id: string,
    @Arg('userIds', () => [ID], { defaultValue: [], description: 'IDs of users, at most 100.' }) userIds: string[],
    @Arg('emails', () => [String], { defaultValue: [], description: 'Email addresses, at most 100.' }) emails: string[],
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return inviteToGame(context, id, userIds, emails, selectedColumns(Game, info));
  }

  @allow(platform, user)
  @Mutation(() => Game, {
    description:
      'Declines an invitation to a game, whether the user was invited by ID or by their verified address. The owner is notified. The service stops notifying the user about the game. If only invited users can see the game, the user can no longer see it. For the first game of a series, the invitations to the repetitions that have not started are also declined. NOT_FOUND if there is no invitation. CONFLICT for players and waiting users, who must call `optOut` instead.',
  })
  declineGameInvitation(
    @Arg('gameId', () => ID, { description: gameIdDescription }) id: string,
    @Arg('userId', () => ID, {
      nullable: true,
      description: 'ID of the invited user. Default: the signed-in user. Only platforms can specify another user.',
    })
    userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Game>> {
    return declineForUser(context, id, onBehalfOf(context, userId), selectedColumns(Game, info));
  }

  @allow(anyone)
  @Query(() => GameInvitation, {
    description:
      'Game invitation that was sent to an email address. BAD_INPUT if the value is malformed. GONE if the invitation was declined or withdrawn, or the game was deleted.',
  })
  gameInvitation(
    @Arg('value', () => String, { description: valueDescription }) value: string,
    @Ctx() context: Context,
  ): Promise<GameInvitation> {
    return readInvitation(context, value);
  }

  @allow(anyone)
  @Mutation(() => GameInvitation, {
    description:
      'Declines a game invitation that was sent to an email address. No account is required. Returns the declined invitation. The effect is the same as that of `declineGameInvitation`. BAD_INPUT if the value is malformed. GONE if the invitation was declined or withdrawn, or the game was deleted.',
  })
  declineMailedGameInvitation(
    @Arg('value', () => String, { description: valueDescription }) value: string,
    @Ctx() context: Context,
  ): Promise<GameInvitation> {
    return declineMailedInvitation(context, value);
  }
}
