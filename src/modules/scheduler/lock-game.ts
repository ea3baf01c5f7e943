import { LockMode, raw } from '@mikro-orm/core';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { Game } from './game.js';
import { manages } from './manages.js';
import { visibleGames } from './visible-games.js';

const all: typeof visibleGames = () => null;

/**
 * A game that the caller sees, locked until the end of the transaction: changes of it follow one another. Among all games, where these are
 * meant, else among those that are visible; NOT_FOUND without one.
 */
export async function lockGame({ caller, sql }: Context, id: string, among = visibleGames): Promise<Game> {
  const values: Record<string, unknown> = {};
  const visible = among(caller, (value) => {
    const name = `value${Object.keys(values).length}`;
    values[name] = value;
    return `:${name}`;
  });
  const wanted = sql.em.createQueryBuilder(Game, 'r').select('*').where({ id }).setLockMode(LockMode.PESSIMISTIC_WRITE);
  if (visible) wanted.andWhere(raw(visible, values));
  return (await wanted.getSingleResult()) ?? fail('NOT_FOUND', `no game with the id ${id}`);
}

/** A game that the caller may change, locked: NOT_FOUND where they do not see it, FORBIDDEN for others. */
export async function lockManagedGame(context: Context, id: string): Promise<Game> {
  const { caller } = context;
  const game = await lockGame(context, id, caller.user ? visibleGames : all);
  return manages(caller, game.ownerId) ? game : fail('FORBIDDEN', 'only for: the owner of the game');
}
