import { sql as raw } from 'kysely';
import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import type { Row } from '../../kernel/sql.js';
import { Notification } from './notification.js';
import { selected } from './selected.js';

/** Marks a notification of a user as read or unread. What was read keeps the moment of the first reading. */
export async function markNotification(
  { loaders, sql }: Context,
  userId: string,
  id: string,
  isRead: boolean,
  columns: readonly string[],
): Promise<Row> {
  const marked = await sql.first(
    sql.db
      .updateTable('notification')
      .set({ read_at: isRead ? raw<string>`coalesce(read_at, clock_timestamp())` : null })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning(selected(Notification, columns)),
  );
  loaders.clear();
  return marked ?? fail('NOT_FOUND', `no notification of this user with the id ${id}`);
}
