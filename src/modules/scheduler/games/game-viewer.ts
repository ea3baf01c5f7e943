import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import { Game } from './game.js';

/** Relation of the signed-in user to a game. Visible even if the game hides its players. */
@Resolver(() => Game)
export class GameViewer {
  @readsColumns('playerIds')
  @FieldResolver(() => Boolean, { description: 'Whether the signed-in user is a player. False without a user.' })
  isViewerPlaying(@Root() { playerIds }: Pick<Game, 'playerIds'>, @Ctx() { caller: { user } }: Context): boolean {
    return user !== null && playerIds.includes(user.id);
  }

  @readsColumns('invitedIds', 'invitedByEmailIds')
  @FieldResolver(() => Boolean, {
    description: 'Whether the signed-in user is invited, by ID or by a verified e-mail address. False without a user.',
  })
  isViewerInvited(
    @Root() { invitedIds, invitedByEmailIds }: Pick<Game, 'invitedIds' | 'invitedByEmailIds'>,
    @Ctx() { caller: { user } }: Context,
  ): boolean {
    return user !== null && (invitedIds.includes(user.id) || invitedByEmailIds.includes(user.id));
  }
}
