import { type RawBuilder, sql } from 'kysely';
import { sqlForReading } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';

/**
 * Returns the SQL expression for the number of occupied places in an event: its teams, plus the registered or invited players without a
 * team. Two players who name each other as partners occupy one place.
 */
export const occupiedPlaces = (eventId: RawBuilder<unknown>): RawBuilder<string> => sql<string>`(
  (select count(*) from ${sql.table('team')} where event_id = ${eventId}) +
  (select count(*) from ${sql.table('event_registration')} entry
    where entry.event_id = ${eventId} and entry.status in (1, 4)
      and not exists (select from ${sql.table('team')}
        where team.event_id = entry.event_id
          and (team.id = entry.team_id or entry.user_id in (team.player_one_id, team.player_two_id)))
      and not exists (select from ${sql.table('event_registration')} partner
        where partner.event_id = entry.event_id and partner.status in (1, 4) and partner.id < entry.id
          and partner.user_id = entry.partner_id and partner.partner_id = entry.user_id)))`;

/** Whether an entry shares one place with the entry of the partner, because both players have no team and name each other. */
export const sharesPlace = async (session: Session, entryId: string): Promise<boolean> => {
  const row = await session.row(
    sqlForReading(
      ['event_registration', 'team'],
      `select exists (select from event_registration entry
        join event_registration partner on partner.event_id = entry.event_id and partner.id <> entry.id
          and partner.user_id = entry.partner_id and partner.partner_id = entry.user_id
      where entry.id = $1 and entry.status in (1, 4) and partner.status in (1, 4)
        and not exists (select from team
          where team.event_id = entry.event_id
            and (team.id = entry.team_id or entry.user_id in (team.player_one_id, team.player_two_id)))) as shares`,
    ),
    [entryId],
    { shares: is.boolean },
  );
  return row?.shares === true;
};
