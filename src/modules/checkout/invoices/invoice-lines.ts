import type { Session } from '../../../kernel/session.js';
import { invoiceItemKinds } from '../choices.js';

/** Stored item type of discounts. */
export const discountType = String(invoiceItemKinds.conversion.toStored('DISCOUNT'));

/** Line of an invoice that has a price. */
export interface Line {
  /** Stored item type, such as `Event`. */
  type: string | null;
  title: string | null;
  eventRegistrationId: string | null;
  eventId: string | null;
  unitPrice: string | null;
  units: number | null;
}

/** Line with the discount of a code on another line. */
export interface DiscountLine extends Line {
  id: string;
  codeId: string;
  currency: string | null;
}

export interface InvoiceLines {
  /** In order of creation. */
  lines: Line[];
  discountLines: DiscountLine[];
  currency: string | null;
}

/** Lines of an invoice that are not withdrawn, and the lines of its discount code. */
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
