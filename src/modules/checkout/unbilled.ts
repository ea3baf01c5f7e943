import type { Session } from '../../kernel/session.js';
import type { Registration } from '../tournaments/registration.js';
import type { Tournament } from '../tournaments/tournament.js';
import { isEntryBilled, isRegistrationBilled } from './billed-sql.js';

interface Item {
  itemType: string;
  title: string | null;
  unitPrice: string;
  eventRegistrationId?: string;
  eventId?: string | null;
}

/** The entries of a player under a registration that stand on no invoice yet, with the prices of their events. */
const entries = (sql: Session, { id, userId, tournamentId }: Registration) =>
  sql.run(
    sql.db
      .selectFrom('event_registration as r')
      .innerJoin('tournament_event as e', 'e.id', 'r.event_id')
      .select(['r.id as eventRegistrationId', 'e.id as eventId', 'e.title', 'e.fee'])
      .where('r.registration_id', '=', id)
      .where('r.user_id', '=', userId)
      .where('e.tournament_id', '=', tournamentId)
      .where((r) => r.not(isEntryBilled))
      .orderBy('r.created_at')
      .orderBy('r.id'),
  );

/** Whether invoices for a registration have any lines: the fee for the tournament stands on the first one. */
const isBilled = (sql: Session, { id }: Registration) =>
  sql.first(sql.db.selectFrom('registration as r').select('r.id').where('r.id', '=', id).where(isRegistrationBilled));

/** A price as it comes on an invoice: none lowers it. */
const priceOf = (fee: string | null): string => (fee !== null && Number(fee) > 0 ? fee : '0');

/** The lines that are to come on an invoice for a registration. */
export async function unbilled(sql: Session, registration: Registration, { registrationFee }: Tournament): Promise<Item[]> {
  const found = await entries(sql, registration);
  const items = found.map(({ fee, ...entry }): Item => ({ itemType: 'EVENT', ...entry, unitPrice: priceOf(fee) }));
  const price = priceOf(registrationFee);
  if (price === '0' || (await isBilled(sql, registration))) return items;
  return [{ itemType: 'REGISTRATION', title: 'Registration', unitPrice: price }, ...items];
}
