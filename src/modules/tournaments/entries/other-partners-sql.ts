import { sqlForReading } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';

const isTrue = async (sql: Session, condition: string, values: readonly unknown[]): Promise<boolean> =>
  (
    await sql.row(sqlForReading(['event_registration', 'team'], `select ${condition} as result`), [...values], {
      result: is.boolean,
    })
  )?.result === true;

/** SQL condition that the player of the entry `e` has a partner other than the user $2. */
const hasOtherPartner = `((e.partner_id <> '' and e.partner_id <> $2)
  or exists (select from team t where t.id = e.team_id and e.user_id in (t.player_one_id, t.player_two_id)
    and (t.player_one_id not in ('', $2, e.user_id) or t.player_two_id not in ('', $2, e.user_id))))`;

/** Whether the player of an entry has a partner other than `playerId`. */
export const entryHasOtherPartner = (sql: Session, entryId: string, playerId: string): Promise<boolean> =>
  isTrue(sql, `exists (select from event_registration e where e.id = $1 and ${hasOtherPartner})`, [entryId, playerId]);

/**
 * Whether the user `partnerId` has a partner other than `playerId` in the event `eventId`. Without `eventId`, checks the stored event of
 * the entry `id`.
 */
export const playerHasOtherPartner = (
  sql: Session,
  partnerId: string,
  playerId: string,
  { id, eventId }: { id: string | null; eventId: string | null },
): Promise<boolean> =>
  isTrue(
    sql,
    `exists (select from event_registration e where e.user_id = $1 and ${hasOtherPartner}
      and e.event_id = coalesce($3::text, (select own.event_id from event_registration own where own.id = $4::text)))`,
    [partnerId, playerId, eventId, id],
  );
