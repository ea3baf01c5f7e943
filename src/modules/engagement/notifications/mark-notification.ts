import { sql as raw } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { selectionFor } from '../../../kernel/read/selection.js';
import { Notification } from './notification.js';

/**
 * Marks a notification of a user as read or unread. If the notification was already read, keeps its `readAt`. Throws NOT_FOUND if the user
 * has no such notification.
 */
export async function markNotification(
  { loaders, sql }: Context,
  userId: string,
  id: string,
  isRead: boolean,
  columns: readonly string[],
): Promise<RowOf<Notification>> {
  const notification = await sql.first(
    sql.db
      .updateTable('notification as r')
      .set({ read_at: isRead ? raw<string>`coalesce(r.read_at, clock_timestamp())` : null })
      .where('r.id', '=', id)
      .where('r.user_id', '=', userId)
      .returning(selectionFor(Notification, columns).columns),
  );
  loaders.clear();
  return notification ?? fail('NOT_FOUND', `no notification of this user with the id ${id}`);
}

/** Marks all unread notifications of a user as read. Returns the number of these notifications. */
export async function markAllRead({ loaders, sql }: Context, userId: string): Promise<number> {
  const updatedRows = await sql.run(
    sql.db
      .updateTable('notification')
      .set({ read_at: raw<string>`clock_timestamp()` })
      .where('user_id', '=', userId)
      .where('read_at', 'is', null)
      .returning('id'),
  );
  loaders.clear();
  return updatedRows.length;
}
