import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { lockSeen } from '../../kernel/write/lock-seen.js';
import { Game } from './game.js';
import { manages } from './manages.js';

/** A game that the caller sees, locked until the end of the transaction; NOT_FOUND without one. */
export const lockGame = async (context: Context, id: string): Promise<Game> =>
  (await lockSeen(context, Game, id)) ?? fail('NOT_FOUND', `no game with the id ${id}`);

/** The same among all games: platforms that act for no user change those by invitation, too. */
export const lockAny = async ({ sql }: Context, id: string): Promise<Game> =>
  (await sql.em.findOne(Game, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })) ??
  fail('NOT_FOUND', `no game with the id ${id}`);

/** A game that the caller may change, locked: NOT_FOUND where they do not see it, FORBIDDEN for others. */
export async function lockManagedGame(context: Context, id: string): Promise<Game> {
  const { caller } = context;
  const game = await (caller.user ? lockGame(context, id) : lockAny(context, id));
  return manages(caller, game.ownerId) ? game : fail('FORBIDDEN', 'only for: the owner of the game');
}
