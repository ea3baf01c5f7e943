import type { Session } from '../../../kernel/session.js';
import { invoiceItemKinds } from '../choices.js';

/** Stored item type of discounts. */
export const discountType = String(invoiceItemKinds.conversion.toStored('DISCOUNT'));

/** A line of an invoice that has a price. */
export interface Line {
  /** Stored item type, such as `Event`. */
  type: string | null;
  title: string | null;
  eventRegistrationId: string | null;
  eventId: string | null;
  unitPrice: string | null;
  units: number | null;
}

/** A line for the discount that a discount code gives on another line. */
export interface DiscountLine extends Line {
  id: string;
  codeId: string;
  currency: string | null;
}

export interface InvoiceLines {
  /** In the order of their creation. */
  lines: Line[];
  discountLines: DiscountLine[];
  currency: string | null;
}

/** The lines of an invoice that are not withdrawn, and the lines of its discount code. */
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
  const isOfCode = (row: (typeof rows)[number]): row is (typeof rows)[number] & DiscountLine =>
    row.type === discountType && row.codeId !== null;
  return {
    lines: rows.filter((row) => !isOfCode(row)),
    discountLines: rows.filter(isOfCode),
    currency: rows.find(({ currency }) => currency)?.currency ?? null,
  };
}
