import type { Values } from '../../../kernel/declare/fields/options.js';
import type { Session } from '../../../kernel/session.js';
import { entryStatuses } from '../choices.js';

const withdrawn = Number(entryStatuses.conversion.toStored('WITHDRAWN'));

/** A text of an input. Null if it is absent or empty: the legacy interface sends an empty text for an absent value. */
export const nonEmptyText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Entries `e` that are not withdrawn. */
const entries = ({ db }: Session) =>
  db.selectFrom('event_registration as e').where((e) => e.or([e('e.status', 'is', null), e('e.status', '<>', withdrawn)]));

/** ID of the user's entry in the event of another player's new entry, if one of the two entries names the other as partner. Otherwise null. */
export async function entryOfPartner(sql: Session, callerId: string, entry: Values): Promise<string | null> {
  const [player, eventId] = [nonEmptyText(entry.userId), nonEmptyText(entry.eventId)];
  if (!player || !eventId) return null;
  const ownEntry = await sql.first(
    entries(sql)
      .select(['e.id', 'e.partner_id as partnerId', 'e.partner_registration_id as partnerEntryId'])
      .where('e.user_id', '=', callerId)
      .where('e.event_id', '=', eventId)
      .orderBy('e.id')
      .limit(1),
  );
  if (!ownEntry) return null;
  if (nonEmptyText(ownEntry.partnerId)) return ownEntry.partnerId === player ? ownEntry.id : null;
  const namesNewEntry = nonEmptyText(entry.id) !== null && ownEntry.partnerEntryId === entry.id;
  const isNamed = nonEmptyText(entry.partnerId) === callerId || nonEmptyText(entry.partnerRegistrationId) === ownEntry.id;
  return namesNewEntry || isNamed ? ownEntry.id : null;
}

/** Whether two players are partners in an event of a tournament: the entry of one of them names the other, by ID or by their entry. */
export async function arePartnersIn(sql: Session, tournamentId: string, players: readonly [string, string]): Promise<boolean> {
  const [first, second] = players;
  const entry = await sql.first(
    entries(sql)
      .leftJoin('tournament_event as v', 'v.id', 'e.event_id')
      .leftJoin('registration as r', (join) => join.onRef('r.id', '=', 'e.registration_id').onRef('r.user_id', '=', 'e.user_id'))
      .leftJoin('event_registration as p', 'p.id', 'e.partner_registration_id')
      .select('e.id')
      .where((e) => e(e.fn.coalesce('v.tournament_id', 'r.tournament_id'), '=', tournamentId))
      .where((e) => {
        const namesAsPartner = (from: string, to: string) => {
          const byId = e('e.partner_id', '=', to);
          const byEntry = e.and([e(e.fn.coalesce('e.partner_id', e.val('')), '=', ''), e('p.user_id', '=', to)]);
          return e.and([e('e.user_id', '=', from), e.or([byId, byEntry])]);
        };
        return e.or([namesAsPartner(first, second), namesAsPartner(second, first)]);
      })
      .limit(1),
  );
  return entry !== null;
}
