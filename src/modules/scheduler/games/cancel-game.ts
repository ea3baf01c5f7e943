import { LockMode } from '@mikro-orm/core';
import { sql as raw, type SqlBool } from 'kysely';
import { DateTime } from 'luxon';
import type { Context } from '../../../kernel/declare/context.js';
import type { DeletedIds } from '../../../kernel/declare/deleted-ids.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import type { Session } from '../../../kernel/session.js';
import { removeEntity, touch } from '../../../kernel/write/entities.js';
import { templates } from '../../../messaging/ports.js';
import { mailColumns, mailInvitedAddresses } from '../invitations/mail-invited.js';
import { mailedGame } from '../invitations/notify-invitees.js';
import { Game } from './game.js';
import { lockManagedGame } from './lock-game.js';
import { memberColumns, membersOf } from './members.js';

/**
 * Locks and returns the first game of the series that a repetition belongs to. Returns null for other games. To avoid deadlocks, all writes
 * lock the first game before its repetitions.
 */
async function lockFirstGame(sql: Session, id: string): Promise<Game | null> {
  const game = await sql.first(
    sql.db.selectFrom('game').select('parent_id as firstId').where('id', '=', id).where('occurs_on', 'is not', null),
  );
  return game && sql.em.findOne(Game, { id: game.firstId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Excludes a date from a series. Removes exclusions of dates before yesterday, because no games are created for past dates. */
function skipDate(context: Context, firstGame: Game, date: string): void {
  const lastPastDay = DateTime.utc().minus({ days: 2 }).toFormat('yyyy-MM-dd');
  firstGame.skippedDays = [...firstGame.skippedDays.filter((day) => day > lastPastDay), date];
  touch(context, firstGame);
}

/** Deletes a game's repetitions that have not started. Returns their members and the data for emails. */
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
 * Cancels and deletes a game. Permitted for its owner, admins, and platforms without a user token. The first game of a series is deleted
 * together with its repetitions that have not started. If the game is a repetition, only the repetition itself is deleted, and it is not
 * created again. Notifies players, waiting users and invited users once. Invited addresses get an email. Also returns the IDs of all
 * deleted games.
 */
export const cancelGame = (
  context: Context,
  id: string,
  returning: readonly string[],
): Promise<RowOf<Game> & DeletedIds<'deletedGameIds'>> =>
  context.sql.transaction(async () => {
    const { caller, sql, services } = context;
    const firstGame = await lockFirstGame(sql, id);
    const game = await lockManagedGame(context, id);
    if (firstGame && game.occursOn) skipDate(context, firstGame, game.occursOn);
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
    await mailInvitedAddresses(context, [mailedGame(game), ...repetitions], templates.gameCancellationMail);
    const row = await removeEntity(context, game, returning);
    return { ...row, deletedGameIds: [id, ...repetitions.map((repetition) => repetition.id)] };
  });
