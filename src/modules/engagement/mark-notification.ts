import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import { selectionOf } from '../../kernel/list.js';
import { metaOf } from '../../kernel/meta.js';
import type { Row } from '../../kernel/sql.js';
import { Notification } from './notification.js';

/** Marks a notification of a user as read or unread. What was read keeps the moment of the first reading. */
export async function markNotification(
  context: Context,
  userId: string,
  id: string,
  isRead: boolean,
  columns: readonly string[],
): Promise<Row> {
  const marked = await context.sql.row(
    `update notification r set read_at = ${isRead ? 'coalesce(r.read_at, clock_timestamp())' : 'null'}
     where r.id = $1 and r.user_id = $2 returning ${selectionOf(metaOf(Notification), columns)}`,
    [id, userId],
  );
  context.loaders.clear();
  return marked ?? fail('NOT_FOUND', `no notification of this user with the id ${id}`);
}
