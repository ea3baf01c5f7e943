import { sql as raw, type SqlBool } from 'kysely';
import { fail } from '../../../kernel/declare/errors.js';
import type { Session } from '../../../kernel/session.js';

/**
 * Reads the users with these IDs, with the columns that the rules for entries use. If `locks` is true, locks them in the order of their
 * IDs.
 */
export const findPlayers = (sql: Session, ids: readonly string[], locks: boolean) =>
  sql.run(
    sql.db
      .selectFrom('app_user')
      .select(['id', 'email', 'gender', 'date_of_birth as dateOfBirth'])
      .where(raw<SqlBool>`id = any(${ids})`)
      .orderBy('id')
      .$if(locks, (users) => users.forNoKeyUpdate()),
  );

/** Locks users in the order of their IDs, so that concurrent entries of a player run one at a time. Returns the IDs of existing users. */
export async function lockPlayers(sql: Session, ids: readonly string[]): Promise<string[]> {
  return (await findPlayers(sql, ids, true)).map(({ id }) => id);
}

/** Returns a query for the entries of users in events. */
const entriesOf = (sql: Session, eventIds: readonly string[], userIds: readonly string[]) =>
  sql.db
    .selectFrom('event_registration')
    .select(['event_id as eventId', 'user_id as userId'])
    .where(raw<SqlBool>`event_id = any(${eventIds})`)
    .where(raw<SqlBool>`user_id = any(${userIds})`);

/** Returns a query for the teams of users in events. */
const teamsOf = (
  sql: Session,
  player: 'player_one_id' | 'player_two_id',
  eventIds: readonly string[],
  userIds: readonly string[],
) =>
  sql.db
    .selectFrom('team')
    .select(['event_id as eventId', `${player} as userId`])
    .where(raw<SqlBool>`event_id = any(${eventIds})`)
    .where(raw<SqlBool>`${raw.ref(player)} = any(${userIds})`);

/**
 * Returns a function that reports whether a user has an entry or a team in an event. Before a write, the caller must have locked the users.
 */
export async function createEntryChecker(
  sql: Session,
  eventIds: readonly string[],
  userIds: readonly string[],
): Promise<(eventId: string, userId: string) => boolean> {
  const rows = await sql.run(
    entriesOf(sql, eventIds, userIds)
      .union(teamsOf(sql, 'player_one_id', eventIds, userIds))
      .union(teamsOf(sql, 'player_two_id', eventIds, userIds)),
  );
  return (eventId, userId) => rows.some((row) => row.eventId === eventId && row.userId === userId);
}

/** Throws CONFLICT if a player has an entry or a team in an event. The caller must have locked the player. */
export async function checkNotEntered(sql: Session, eventId: string, userId: string, message: string): Promise<void> {
  const isEntered = await createEntryChecker(sql, [eventId], [userId]);
  if (isEntered(eventId, userId)) fail('CONFLICT', message);
}

/** Whether a player has an entry in an event, regardless of teams. Before a write, the caller must have locked the player. */
export const hasEntry = async (sql: Session, eventId: string, userId: string): Promise<boolean> =>
  (await sql.first(entriesOf(sql, [eventId], [userId]).limit(1))) !== null;
