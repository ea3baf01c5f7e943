import { uuidv7 } from 'uuidv7';
import { writeSql } from '../../../kernel/facts.js';
import type { Session } from '../../../kernel/session.js';
import type { Notification } from './notification.js';

/** Inserts a notification for each user, with one statement. Skips unknown users and users who disabled the type. */
export async function insertNotifications(
  sql: Session,
  userIds: readonly string[],
  { typeId, event, content, subjectKind, subjectId }: Omit<Notification, 'id' | 'userId' | 'createdAt' | 'readAt'>,
): Promise<void> {
  await sql.rows(
    writeSql(
      ['notification'],
      `insert into notification (id, type_id, user_id, event, content, subject_kind, subject_id)
     select recipient.id, $3, u.id, $4, $5, $6, $7 from unnest($1::text[], $2::text[]) recipient(id, user_id) join app_user u on u.id = recipient.user_id
     where not exists (select from muted_notification m where m.user_id = u.id and m.type_id = $3)`,
      ['app_user', 'muted_notification'],
    ),
    [userIds.map(() => uuidv7()), userIds, typeId, event, content, subjectKind, subjectId],
  );
}
