import type { Session } from '../../../kernel/session.js';
import { insertNotifications } from './insert-notifications-sql.js';
import { type NotificationEvent, type NotificationSubjectKind, typeIdByEvent } from './notification-event.js';

/** Content of a notification. */
export interface NotificationContent {
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
