import type { Session } from '../../../kernel/session.js';
import type { Registration } from '../../tournaments/entries/registration.js';

/** ID of the latest unpaid invoice for a registration in a currency. Null if there is none. `isLocking` isLocking the invoice. */
export async function openInvoice(
  sql: Session,
  { id, userId }: Registration,
  currency: string | null,
  isLocking: boolean,
): Promise<string | null> {
  const row = await sql.first(
    sql.db
      .selectFrom('invoice as i')
      .select('i.id')
      .where('i.registration_id', '=', id)
      .where('i.user_id', '=', userId)
      .where((i) => {
        const payments = i.selectFrom('payment as p').select('p.id').whereRef('p.invoice_id', '=', 'i.id');
        return i.not(i.exists(payments.where('p.is_reversed', '=', false)));
      })
      .where((i) => {
        const items = i.selectFrom('invoice_item as l').select('l.id').whereRef('l.invoice_id', '=', 'i.id');
        const itemsInOtherCurrencies = items
          .where('l.currency', '<>', '')
          .where((l) => l(l.fn<string>('upper', ['l.currency']), '<>', currency ?? ''));
        return i.not(i.exists(itemsInOtherCurrencies));
      })
      .orderBy('i.created_at', 'desc')
      .orderBy('i.id', 'desc')
      .limit(1)
      .$if(isLocking, (invoice) => invoice.forUpdate()),
  );
  return row?.id ?? null;
}
