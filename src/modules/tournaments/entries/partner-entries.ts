import type { Values } from '../../../kernel/declare/fields/options.js';
import type { Session } from '../../../kernel/session.js';
import { nonEmptyString } from '../../../kernel/write/input-values.js';
import { entryStatuses } from '../choices.js';

const withdrawnStatus = Number(entryStatuses.conversion.toStored('WITHDRAWN'));

/** Returns a query for the entries, aliased `e`, that are not withdrawn. */
const activeEntries = ({ db }: Session) =>
  db.selectFrom('event_registration as e').where((e) => e.or([e('e.status', 'is', null), e('e.status', '<>', withdrawnStatus)]));

/**
 * Returns the ID of the caller's entry in the event of `entry`, which is a new entry of another player. Null unless the caller's entry or
 * the new entry names the other player as partner.
 */
export async function entryOfPartner(sql: Session, callerId: string, entry: Values): Promise<string | null> {
  const [player, eventId] = [nonEmptyString(entry.userId), nonEmptyString(entry.eventId)];
  if (!player || !eventId) return null;
  const ownEntry = await sql.first(
    activeEntries(sql)
      .select(['e.id', 'e.partner_id as partnerId', 'e.partner_registration_id as partnerEntryId'])
      .where('e.user_id', '=', callerId)
      .where('e.event_id', '=', eventId)
      .orderBy('e.id')
      .limit(1),
  );
  if (!ownEntry) return null;
  if (nonEmptyString(ownEntry.partnerId)) return ownEntry.partnerId === player ? ownEntry.id : null;
  const namesNewEntry = nonEmptyString(entry.id) !== null && ownEntry.partnerEntryId === entry.id;
  const isNamed = nonEmptyString(entry.partnerId) === callerId || nonEmptyString(entry.partnerRegistrationId) === ownEntry.id;
  return namesNewEntry || isNamed ? ownEntry.id : null;
}

/** Whether two players are partners in an event of a tournament. The entry of one must name the other, by user ID or entry ID. */
export async function arePartnersIn(sql: Session, tournamentId: string, players: readonly [string, string]): Promise<boolean> {
  const [first, second] = players;
  const entry = await sql.first(
    activeEntries(sql)
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
