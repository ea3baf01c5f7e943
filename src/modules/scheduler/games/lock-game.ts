import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { failForbidden, userTokenCredential } from '../../../kernel/declare/policy/policy-error.js';
import { lockVisibleEntity } from '../../../kernel/write/entities.js';
import { Game } from './game.js';
import { canManage } from './game-access.js';

/** Locks a game until the end of the transaction. Throws NOT_FOUND if the game does not exist, or the caller cannot see it. */
export const lockGame = async (context: Context, id: string): Promise<Game> =>
  (await lockVisibleEntity(context, Game, id)) ?? fail('NOT_FOUND', `no game with the id ${id}`);

/** Locks a game, even if the caller cannot see it. Platforms without a user token can also change games by invitation. */
export const lockAnyGame = async ({ sql }: Context, id: string): Promise<Game> =>
  (await sql.em.findOne(Game, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })) ??
  fail('NOT_FOUND', `no game with the id ${id}`);

/**
 * Locks a game that the caller manages. Throws NOT_FOUND if the caller cannot see the game, and FORBIDDEN if the caller does not manage it.
 */
export async function lockManagedGame(context: Context, id: string): Promise<Game> {
  const { caller } = context;
  const game = await (caller.user ? lockGame(context, id) : lockAnyGame(context, id));
  return canManage(caller, game.ownerId) ? game : failForbidden(userTokenCredential('of the owner of the game'));
}
