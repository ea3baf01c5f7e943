import { uuidv7 } from 'uuidv7';
import { sqlForWriting } from '../../../kernel/facts.js';
import type { Session } from '../../../kernel/session.js';
import type { Notification } from './notification.js';
import { type NotificationEvent, type NotificationSubjectKind, typeIdByEvent } from './notification-event.js';

/** Inserts a notification for each user, with one statement. Skips unknown users and users who disabled the type. */
export async function insertNotifications(
  sql: Session,
  userIds: readonly string[],
  { typeId, event, content, subjectKind, subjectId }: Omit<Notification, 'id' | 'userId' | 'createdAt' | 'readAt'>,
): Promise<void> {
  await sql.rows(
    sqlForWriting(
      ['notification'],
      `insert into notification (id, type_id, user_id, event, content, subject_kind, subject_id)
     select recipient.id, $3, u.id, $4, $5, $6, $7 from unnest($1::text[], $2::text[]) recipient(id, user_id) join app_user u on u.id = recipient.user_id
     where not exists (select from muted_notification m where m.user_id = u.id and m.type_id = $3)`,
      ['app_user', 'muted_notification'],
    ),
    [userIds.map(() => uuidv7()), userIds, typeId, event, content, subjectKind, subjectId],
  );
}

/** Content of a notification. */
interface NotificationContent {
  event: NotificationEvent;
  /** Sentence for users, in English. */
  content: string;
  subject?: { kind: NotificationSubjectKind; id: string };
}

const maxLength = 10_000;

/** Notifies users, in the transaction of the event. Skips unknown users and users who disabled the notification type. */
export async function notify(
  sql: Session,
  userIds: readonly (string | null)[],
  { event, content, subject }: NotificationContent,
): Promise<void> {
  const ids = [...new Set(userIds.filter((id) => id !== null).filter((id) => id !== ''))];
  if (ids.length === 0) return;
  await insertNotifications(sql, ids, {
    typeId: typeIdByEvent[event],
    event,
    content: content.slice(0, maxLength),
    subjectKind: subject?.kind ?? null,
    subjectId: subject?.id ?? null,
  });
}
