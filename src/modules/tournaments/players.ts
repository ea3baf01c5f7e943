import { sql as raw, type SqlBool } from 'kysely';
import { fail } from '../../kernel/declare/errors.js';
import type { Session } from '../../kernel/session.js';

/** Locks users in the order of their ids: of two entries of one player the second one sees what the first one wrote. The ids that there are. */
export async function lockPlayers(sql: Session, ids: readonly string[]): Promise<string[]> {
  const found = await sql.run(
    sql.db.selectFrom('app_user').select('id').where(raw<SqlBool>`id = any(${ids})`).orderBy('id').forNoKeyUpdate(),
  );
  return found.map(({ id }) => id);
}

const entryOf = (sql: Session, eventId: string, userId: string) =>
  sql.db.selectFrom('event_registration').select('id').where('event_id', '=', eventId).where('user_id', '=', userId);

const entered = (sql: Session, eventId: string, userId: string) =>
  sql.first(
    entryOf(sql, eventId, userId)
      .unionAll(
        sql.db
          .selectFrom('team')
          .select('id')
          .where('event_id', '=', eventId)
          .where((team) => team.or([team('player_one_id', '=', userId), team('player_two_id', '=', userId)])),
      )
      .limit(1),
  );

/** Refuses a player who is in an event already. The player is locked. */
export async function checkNotEntered(sql: Session, eventId: string, userId: string, refusal: string): Promise<void> {
  if (await entered(sql, eventId, userId)) fail('CONFLICT', refusal);
}

/** CONFLICT if a player already has an entry in an event. Does not check teams. The caller must have locked the player. */
export async function checkNoEntry(sql: Session, eventId: string, userId: string, refusal: string): Promise<void> {
  if (await sql.first(entryOf(sql, eventId, userId).limit(1))) fail('CONFLICT', refusal);
}
