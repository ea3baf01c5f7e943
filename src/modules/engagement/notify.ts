import type { Session } from '../../kernel/session.js';
import { insertNotifications } from './insert-notifications-sql.js';
import { type NotificationEvent, type NotificationSubjectKind, typeOfEvent } from './notification-event.js';

/** What users are to be told. */
export interface Notice {
  event: NotificationEvent;
  /** One sentence, for people to read. */
  content: string;
  subject?: { kind: NotificationSubjectKind; id: string };
}

const longest = 10_000;

/**
 * Tells users of something, in the transaction that causes it. Who has switched that type of notification off is not told;
 * ids without a user are passed over.
 */
export async function notify(
  sql: Session,
  userIds: readonly (string | null)[],
  { event, content, subject }: Notice,
): Promise<void> {
  const ids = [...new Set(userIds.filter((id) => id !== null).filter((id) => id !== ''))];
  if (ids.length === 0) return;
  await insertNotifications(sql, ids, {
    typeId: typeOfEvent[event],
    event,
    content: content.slice(0, longest),
    subjectKind: subject?.kind ?? null,
    subjectId: subject?.id ?? null,
  });
}
