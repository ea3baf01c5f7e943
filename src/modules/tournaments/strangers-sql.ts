import { readSql } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';

const holds = async (sql: Session, condition: string, values: readonly unknown[]): Promise<boolean> =>
  (await sql.row(readSql(['event_registration', 'team'], `select ${condition} as holds`), [...values], { holds: is.boolean }))
    ?.holds === true;

/** That the player of an entry `e` plays with somebody else than the player in $2. */
const isTaken = `((e.partner_id <> '' and e.partner_id <> $2)
  or exists (select from team t where t.id = e.team_id and e.user_id in (t.player_one_id, t.player_two_id)
    and (t.player_one_id not in ('', $2, e.user_id) or t.player_two_id not in ('', $2, e.user_id))))`;

/** Whether an entry is that of somebody who plays with another one. */
export const isStrangersEntry = (sql: Session, entryId: string, player: string): Promise<boolean> =>
  holds(sql, `exists (select from event_registration e where e.id = $1 and ${isTaken})`, [entryId, player]);

/** Whether somebody plays with another one in the event of an entry, which the values name or which has it already. */
export const isStrangersPartner = (
  sql: Session,
  partnerId: string,
  player: string,
  { id, eventId }: { id: string | null; eventId: string | null },
): Promise<boolean> =>
  holds(
    sql,
    `exists (select from event_registration e where e.user_id = $1 and ${isTaken}
      and e.event_id = coalesce($3::text, (select own.event_id from event_registration own where own.id = $4::text)))`,
    [partnerId, player, eventId, id],
  );
