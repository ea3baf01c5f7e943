import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import type { Session } from '../../../kernel/session.js';
import { lockAddresses } from './lock-addresses-sql.js';
import { ownerNameSql } from './notify-invitees.js';

/** Returns the SQL condition for games that an address was invited to. */
const invitesAddress = (address: string) => raw<SqlBool>`invited_addresses @> array[${address}]::text[]`;

/**
 * Adds a user to the invitations of all games that an address was invited to. Returns these games, with the first game of a series before
 * its repetitions.
 */
const addInvited = (sql: Session, address: string, userId: string) =>
  sql.run(
    sql.db
      .with('invited', (db) =>
        db
          .updateTable('game')
          .set({ invited_by_email_ids: raw<string[]>`array_append(invited_by_email_ids, ${userId})` })
          .where(invitesAddress(address))
          .where(raw<SqlBool>`not invited_by_email_ids @> array[${userId}]::text[]`)
          .returning(['id', 'title', 'owner_id', 'created_at', raw<string>`coalesce(parent_id, id)`.as('series')])
          .returning(
            raw<boolean>`owner_id is distinct from ${userId} and not invited_ids @> array[${userId}]::text[]`.as(
              'needsNotification',
            ),
          ),
      )
      .selectFrom('invited as i')
      .leftJoin('app_user as o', 'o.id', 'i.owner_id')
      .select(['i.id', 'i.title', 'i.series', 'i.needsNotification', ownerNameSql])
      .orderBy((i) => i('i.id', '=', i.ref('i.series')), 'desc')
      .orderBy('i.created_at')
      .orderBy('i.id'),
  );

/**
 * Invites a user to all games that their newly verified address was invited to. Runs in the transaction of the verification. Sends one
 * notification per game or series. Idempotent.
 */
export async function inviteVerifiedUser({ sql, services }: Context, userId: string, address: string): Promise<void> {
  const key = address.toLowerCase();
  await lockAddresses(sql, [key]);
  // Locks the games before it reads them, to include repetitions from concurrent transactions.
  await sql.run(sql.db.selectFrom('game').select('id').where(invitesAddress(key)).orderBy('id').forUpdate());
  const games = await addInvited(sql, key, userId);
  const notifiedSeries = new Set<string>();
  for (const { id, title, host, series, needsNotification } of games) {
    if (needsNotification && !notifiedSeries.has(series)) {
      await services.notify(sql, [userId], {
        event: 'GAME_INVITATION',
        content: `${host} invites you to ${title || 'a game'}.`,
        subject: { kind: 'GAME', id },
      });
    }
    notifiedSeries.add(series);
  }
}
