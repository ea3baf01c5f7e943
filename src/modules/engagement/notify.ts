import { uuidv7 } from 'uuidv7';
import type { Sql } from '../../kernel/sql.js';
import { type NotificationEvent, type NotificationSubject, typeOfEvent } from './notification-event.js';

/** What users are to be told. */
export interface Notice {
  event: NotificationEvent;
  /** One sentence, for people to read. */
  content: string;
  subject?: { kind: NotificationSubject; id: string };
}

const longest = 10_000;

/**
 * Tells users of something, in the transaction that causes it. Who has switched that type of notification off is not told;
 * ids without a user are passed over.
 */
export async function notify(sql: Sql, userIds: readonly (string | null)[], { event, content, subject }: Notice): Promise<void> {
  const ids = [...new Set(userIds.filter((id) => id !== null && id !== ''))];
  if (ids.length === 0) return;
  await sql.rows(
    `insert into notification (id, type_id, user_id, event, content, subject, subject_id)
     select told.id, $3, u.id, $4, $5, $6, $7 from unnest($1::text[], $2::text[]) told(id, user_id) join app_user u on u.id = told.user_id
     where not exists (select from muted_notification m where m.user_id = u.id and m.type_id = $3)`,
    [
      ids.map(() => uuidv7()),
      ids,
      typeOfEvent[event],
      event,
      content.slice(0, longest),
      subject?.kind ?? null,
      subject?.id ?? null,
    ],
  );
}
