import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import { selectionOf } from '../../kernel/list.js';
import { metaOf } from '../../kernel/meta.js';
import type { Row } from '../../kernel/sql.js';
import { Game } from './game.js';
import { joined, left, type Places } from './places.js';
import { visibleGames } from './visible-games.js';

type Change = (places: Places, userId: string) => Places;

const columns = `r.player_ids as "playerIds", r.waiting_ids as "waitingIds", r.max_players as "maxPlayers",
  r.has_waiting_list as "hasWaitingList", r.is_waiting_list_manual as "isWaitingListManual"`;

/** The game, locked: changes of its places follow one another, so that the last place is given once. */
async function lock({ caller, sql }: Context, id: string) {
  const values: unknown[] = [id];
  const visible = visibleGames(caller, (value) => `$${values.push(value)}`) ?? 'true';
  const game = await sql.row<Places & { title: string | null; archivedAt: string | null; [column: string]: unknown }>(
    `select ${columns}, r.title, r.archived_at as "archivedAt" from game r where r.id = $1 and ${visible} for update`,
    values,
  );
  if (!game) return fail('NOT_FOUND', `no game with the id ${id}`);
  return game.archivedAt ? fail('CONFLICT', 'the game is archived') : game;
}

const changePlaces = (context: Context, change: Change, id: string, userId: string, returning: readonly string[]): Promise<Row> =>
  context.sql.transaction(async () => {
    const { sql, loaders, services } = context;
    const game = await lock(context, id);
    const { playerIds, waitingIds } = change(game, userId);
    const moved = playerIds.filter((player) => player !== userId && !game.playerIds.includes(player));
    const row = await sql.row(
      `update game r set player_ids = $2, waiting_ids = $3 where r.id = $1 returning ${selectionOf(metaOf(Game), returning)}`,
      [id, playerIds, waitingIds],
    );
    await services.notify(sql, moved, {
      event: 'GAME_PLACE',
      content: `A place in ${game.title || 'a game'} is free, and it is yours.`,
      subject: { kind: 'GAME', id },
    });
    loaders.clear();
    return row ?? fail('NOT_FOUND', `no game with the id ${id}`);
  });

/** A user joins a game, or its waiting list where it is full. */
export const optIn = (context: Context, id: string, userId: string, returning: readonly string[]): Promise<Row> =>
  changePlaces(context, joined, id, userId, returning);

/** A user leaves a game or its waiting list; who moves up is told. */
export const optOut = (context: Context, id: string, userId: string, returning: readonly string[]): Promise<Row> =>
  changePlaces(context, left, id, userId, returning);
