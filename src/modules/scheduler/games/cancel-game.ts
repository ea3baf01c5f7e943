import { LockMode } from '@mikro-orm/core';
import { sql as raw, type SqlBool } from 'kysely';
import { DateTime } from 'luxon';
import type { Context } from '../../../kernel/declare/context.js';
import type { RowOf } from '../../../kernel/declare/row-of.js';
import type { Session } from '../../../kernel/session.js';
import { removeEntity } from '../../../kernel/write/entities.js';
import { touch } from '../../../kernel/write/touch.js';
import { templates } from '../../../messaging/ports.js';
import { memberColumns, membersOf } from '../groups/members.js';
import { mailColumns, mailInvited } from '../invitations/mail-invited.js';
import { mailedGame } from '../invitations/mailed-game.js';
import { Game } from './game.js';
import { lockManagedGame } from './lock-game.js';

/** Locks the first game of the series, if any. It must be locked before its repetitions, the same order as when these are created and deleted. */
async function lockFirstGame(sql: Session, id: string): Promise<Game | null> {
  const game = await sql.first(
    sql.db.selectFrom('game').select('parent_id as firstId').where('id', '=', id).where('occurs_on', 'is not', null),
  );
  return game && sql.em.findOne(Game, { id: game.firstId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** IDs of the games that a cancellation deletes. */
export interface DeletedGames {
  deletedGameIds: string[];
}

/** Excludes a date from a series. Past dates need no entry, because no games are created for them. */
function skip(context: Context, first: Game, date: string): void {
  const lastPastDay = DateTime.utc().minus({ days: 2 }).toFormat('yyyy-MM-dd');
  first.skippedDays = [...first.skippedDays.filter((day) => day > lastPastDay), date];
  touch(context, first);
}

/** Deletes the repetitions of a game that have not started, and returns their members. */
const deleteUpcoming = (sql: Session, id: string) =>
  sql.run(
    sql.db
      .deleteFrom('game')
      .where('parent_id', '=', id)
      .where('occurs_on', 'is not', null)
      .where(raw<SqlBool>`coalesce(coalesce(starts_at, day) > clock_timestamp(), true)`)
      .returning([...memberColumns, ...mailColumns]),
  );

/**
 * Cancels and deletes a game. For its owner, admins, and platforms without a user token. With the first game of a series, repetitions that have not
 * started are deleted, too. A repetition is deleted alone and not created again. Players, waiting and invited users are notified once. Invited
 * addresses get a mail. Returns also the IDs of all deleted games.
 */
export const cancelGame = (context: Context, id: string, returning: readonly string[]): Promise<RowOf<Game> & DeletedGames> =>
  context.sql.transaction(async () => {
    const { caller, sql, services } = context;
    const first = await lockFirstGame(sql, id);
    const game = await lockManagedGame(context, id);
    if (first && game.occursOn) skip(context, first, game.occursOn);
    const repetitions = await deleteUpcoming(sql, id);
    const title = game.title || 'A game';
    await services.notify(
      sql,
      [game, ...repetitions].flatMap(membersOf).filter((member) => member !== caller.user?.id),
      {
        event: 'GAME_CANCELED',
        content: repetitions.length ? `${title} and its repetitions were canceled.` : `${title} was canceled.`,
        subject: { kind: 'GAME', id },
      },
    );
    await mailInvited(context, [mailedGame(game), ...repetitions], templates.gameCancellation);
    const row = await removeEntity(context, game, returning);
    return { ...row, deletedGameIds: [id, ...repetitions.map((repetition) => repetition.id)] };
  });
