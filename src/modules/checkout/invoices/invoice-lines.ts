import type { Session } from '../../../kernel/session.js';
import type { Registration } from '../../tournaments/entries/registration.js';
import type { Tournament } from '../../tournaments/tournament.js';
import type { TournamentEvent } from '../../tournaments/tournament-event.js';
import { invoiceItemKinds } from '../choices.js';
import { isEntryBilled, isRegistrationBilled } from './invoice-sql.js';

/** Stored item type of discounts. */
export const discountType = String(invoiceItemKinds.conversion.toStored('DISCOUNT'));

/** Invoice line with a price. */
export interface PricedLine {
  /** Stored item type, such as `Event`. */
  type: string | null;
  title: string | null;
  eventRegistrationId: string | null;
  eventId: string | null;
  unitPrice: string | null;
  units: number | null;
}

/** Invoice line that contains the discount on another line. */
export interface DiscountLine extends PricedLine {
  id: string;
  codeId: string;
  currency: string | null;
}

export interface InvoiceLines {
  /** Lines in the order of their creation. */
  lines: PricedLine[];
  discountLines: DiscountLine[];
  currency: string | null;
}

/** Reads the lines and discount lines of an invoice. Excludes withdrawn lines and lines with a requested refund. */
export async function linesOf(sql: Session, invoiceId: string): Promise<InvoiceLines> {
  const rows = await sql.run(
    sql.db
      .selectFrom('invoice_item')
      .select([
        'id',
        'type',
        'title',
        'event_registration_id as eventRegistrationId',
        'event_id as eventId',
        'unit_price as unitPrice',
        'units',
        'currency',
        'discount_code_id as codeId',
      ])
      .where('invoice_id', '=', invoiceId)
      .where('withdrawn_at', 'is', null)
      .where('refund_requested_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id'),
  );
  const isDiscountLine = (row: (typeof rows)[number]): row is (typeof rows)[number] & DiscountLine =>
    row.type === discountType && row.codeId !== null;
  return {
    lines: rows.filter((row) => !isDiscountLine(row)),
    discountLines: rows.filter(isDiscountLine),
    currency: rows.find(({ currency }) => currency)?.currency ?? null,
  };
}

const eventType = String(invoiceItemKinds.conversion.toStored('EVENT'));
const registrationType = String(invoiceItemKinds.conversion.toStored('REGISTRATION'));

/** Reads the entries of a registration that are not on an invoice yet, with the fees of their events. */
const unbilledEntries = (sql: Session, { id, userId, tournamentId }: Registration) =>
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

/** Whether an invoice already bills a registration. The first invoice includes the registration fee of the tournament. */
const isBilled = (sql: Session, { id }: Registration) =>
  sql.first(sql.db.selectFrom('registration as r').select('r.id').where('r.id', '=', id).where(isRegistrationBilled));

/** Returns the price of a fee. Negative fees must not reduce an invoice, so their price is 0. */
const priceOf = (fee: string | null): string => (fee !== null && Number(fee) > 0 ? fee : '0');

const lineFor = ({ fee, ...entry }: Omit<PricedLine, 'type' | 'unitPrice' | 'units'> & { fee: string | null }): PricedLine => ({
  ...entry,
  type: eventType,
  unitPrice: priceOf(fee),
  units: 1,
});

/**
 * Returns the lines to add to the invoice for a registration. These are the tournament's registration fee (unless invoiced), entries
 * without an invoice, and events that the player is about to enter. `registration` is null if the registration does not exist yet.
 */
export async function unbilledLines(
  sql: Session,
  registration: Registration | null,
  { registrationFee }: Tournament,
  events: readonly TournamentEvent[],
): Promise<PricedLine[]> {
  const lines = registration ? (await unbilledEntries(sql, registration)).map(lineFor) : [];
  for (const { id, title, fee } of events) lines.push(lineFor({ eventId: id, title, fee, eventRegistrationId: null }));
  const price = priceOf(registrationFee);
  if (price === '0' || (registration && (await isBilled(sql, registration)))) return lines;
  const fee = { type: registrationType, title: 'Registration', eventId: null, eventRegistrationId: null };
  return [{ ...fee, unitPrice: price, units: 1 }, ...lines];
}
