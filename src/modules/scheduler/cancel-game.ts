import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import { remove } from '../../kernel/save.js';
import type { Row } from '../../kernel/sql.js';
import { Game } from './game.js';
import { visibleGames } from './visible-games.js';

/** Calls a game off and deletes it: its owner, super admins, and platforms where no user token says who acts. Players are told. */
export const cancelGame = (context: Context, id: string, returning: readonly string[]): Promise<Row> =>
  context.sql.transaction(async () => {
    const { caller, sql, services } = context;
    const values: unknown[] = [id];
    const visible = caller.user ? visibleGames(caller, (value) => `$${values.push(value)}`) : null;
    const game = await sql.row<{ ownerId: string | null; title: string | null; joined: string[] }>(
      `select r.owner_id as "ownerId", r.title, array_remove(r.player_ids || r.waiting_ids, r.owner_id) as joined
       from game r where r.id = $1 and ${visible ?? 'true'} for update`,
      values,
    );
    if (!game) return fail('NOT_FOUND', `no game with the id ${id}`);
    if (caller.user && !caller.user.isSuperAdmin && game.ownerId !== caller.user.id)
      fail('FORBIDDEN', 'only for: the owner of the game');
    await services.notify(sql, game.joined, {
      event: 'GAME_CANCELED',
      content: `${game.title || 'A game that you joined'} was called off.`,
      subject: { kind: 'GAME', id },
    });
    return remove(context, Game, id, returning);
  });
