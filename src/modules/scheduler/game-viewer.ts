import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { needs } from '../../kernel/declare/record.js';
import { Game } from './game.js';

/** What a game is to the signed-in user: everybody may know that of themselves. */
@Resolver(() => Game)
export class GameViewer {
  @needs('playerIds')
  @FieldResolver(() => Boolean, { description: 'The signed-in user plays in it; false without one.' })
  isViewerPlaying(@Root() { playerIds }: Pick<Game, 'playerIds'>, @Ctx() { caller: { user } }: Context): boolean {
    return user !== null && playerIds.includes(user.id);
  }

  @needs('invitedIds', 'invitedByEmailIds')
  @FieldResolver(() => Boolean, {
    description: 'The signed-in user is invited, by id or by an address that is proven to be theirs; false without one.',
  })
  isViewerInvited(
    @Root() { invitedIds, invitedByEmailIds }: Pick<Game, 'invitedIds' | 'invitedByEmailIds'>,
    @Ctx() { caller: { user } }: Context,
  ): boolean {
    return user !== null && (invitedIds.includes(user.id) || invitedByEmailIds.includes(user.id));
  }
}
