import { type NotNull, sql as raw, type SqlBool } from 'kysely';
import { DateTime } from 'luxon';
import type { Context } from '../../kernel/declare/context.js';
import type { Row, Session } from '../../kernel/session.js';
import { remove } from '../../kernel/write/save.js';
import { Game } from './game.js';
import { lockManagedGame } from './lock-game.js';
import { memberColumns, membersOf } from './members.js';

/** Locks the game that this one repeats, if any, before it is locked itself: the order in which repetitions are made and deleted, too. */
const lockFirst = (sql: Session, id: string) =>
  sql.first(
    sql.db
      .selectFrom('game as r')
      .innerJoin('game as p', 'p.id', 'r.parent_id')
      .select(['p.id', 'p.skipped_days as skippedDays', 'r.occurs_on as occursOn'])
      .where('r.id', '=', id)
      .where('r.occurs_on', 'is not', null)
      .$narrowType<{ occursOn: NotNull }>()
      .forUpdate('p'),
  );
type First = NonNullable<Awaited<ReturnType<typeof lockFirst>>>;

/** Keeps a date of a series free from now on. Dates that are over need no keeping: nothing is made for them. */
function skip(sql: Session, { id, skippedDays, occursOn }: First) {
  const over = DateTime.utc().minus({ days: 2 }).toFormat('yyyy-MM-dd');
  const days = [...skippedDays.filter((day) => day > over), occursOn];
  return sql.run(sql.db.updateTable('game').set({ skipped_days: days }).where('id', '=', id));
}

/** Deletes the repetitions of a game that have not begun, and tells who was in each. */
const deleteAhead = (sql: Session, id: string) =>
  sql.run(
    sql.db
      .deleteFrom('game')
      .where('parent_id', '=', id)
      .where('occurs_on', 'is not', null)
      .where(raw<SqlBool>`coalesce(coalesce(starts_at, day) > clock_timestamp(), true)`)
      .returning(memberColumns),
  );

/**
 * Calls a game off and deletes it: its owner, admins, and platforms where no user token says who acts. With the first game of a series those
 * that have not begun go, too; one that repeats another goes alone, and is not made again. Who plays, waits or is invited is told, once.
 */
export const cancelGame = (context: Context, id: string, returning: readonly string[]): Promise<Row> =>
  context.sql.transaction(async () => {
    const { caller, sql, services } = context;
    const first = await lockFirst(sql, id);
    const game = await lockManagedGame(context, id);
    if (first) await skip(sql, first);
    const ahead = await deleteAhead(sql, id);
    const off = `${game.title || 'A game'} was called off`;
    await services.notify(
      sql,
      [game, ...ahead].flatMap(membersOf).filter((member) => member !== caller.user?.id),
      {
        event: 'GAME_CANCELED',
        content: ahead.length ? `${off}, and so are its repetitions.` : `${off}.`,
        subject: { kind: 'GAME', id },
      },
    );
    return remove(context, Game, id, returning);
  });
