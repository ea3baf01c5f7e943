import { sqlForReading } from '../../../kernel/facts.js';
import { is } from '../../../kernel/row-shape.js';
import type { Session } from '../../../kernel/session.js';

/**
 * Returns SQL for the value that a field of a record had at the time of the audit entry `entry`. The value comes from the audit entries of
 * the record. If they do not contain it, `current` reads the current value.
 */
const valueAtEntry = (type: string, id: string, field: string, current: string): string => {
  const changes = `from audit_entry other cross join jsonb_array_elements(other.changes) change
    where other.record_key = ${id} and other.record_type = '${type}' and change->>'field' = '${field}'`;
  const [before, after] = [`nullif(change->>'before', '')`, `nullif(change->>'after', '')`];
  return `coalesce(
    (select coalesce(${after}, ${before}) ${changes} and other.created_at <= entry.created_at order by other.created_at desc limit 1),
    (select coalesce(${before}, ${after}) ${changes} and other.created_at > entry.created_at order by other.created_at limit 1),
    ${current})`;
};

const currencyOfTournament = (id: string): string => `(select nullif(currency, '') from tournament where id = ${id})`;

/** Returns SQL for the currency of an invoice: the currency of its items, or else of its tournament. */
const currencyOfInvoice = (id: string): string => {
  const moduleId = valueAtEntry('Invoice', id, 'moduleId', `(select module_id from invoice where id = ${id})`);
  return `coalesce(
    (select min(upper(currency)) from invoice_item where invoice_id = ${id} and currency <> ''),
    ${currencyOfTournament(moduleId)})`;
};

/** SQL for the currency of the audited amounts, keyed by record type. The record may have been deleted. */
const currencies: Readonly<Record<string, string>> = {
  InvoiceItem: `(select coalesce(item.currency, ${currencyOfInvoice('item.invoice_id')}) from (select
    ${valueAtEntry('InvoiceItem', 'entry.record_key', 'currency', `(select nullif(currency, '') from invoice_item where id = entry.record_key)`)} as currency,
    ${valueAtEntry('InvoiceItem', 'entry.record_key', 'invoiceId', '(select invoice_id from invoice_item where id = entry.record_key)')} as invoice_id) item)`,
  Payment: `(select ${currencyOfInvoice('payment.invoice_id')} from (select
    ${valueAtEntry('Payment', 'entry.record_key', 'invoiceId', '(select invoice_id from payment where id = entry.record_key)')} as invoice_id) payment)`,
  DiscountCode: currencyOfTournament(
    valueAtEntry(
      'DiscountCode',
      'entry.record_key',
      'moduleId',
      '(select module_id from discount_code where id = entry.record_key)',
    ),
  ),
};

/** Whether the audit entries of a record type contain amounts. */
export const hasAuditedAmounts = (recordType: string): boolean => Object.hasOwn(currencies, recordType);

const cases = Object.entries(currencies).map(([type, currency]) => `when '${type}' then ${currency}`);

const statement = `
  select requested.n::int as n, case entry.record_type ${cases.join(' ')} end as currency
  from unnest($1::text[]) with ordinality requested(id, n) join audit_entry entry on entry.id = requested.id`;

const tables = ['audit_entry', 'invoice', 'invoice_item', 'payment', 'discount_code', 'tournament'];

/** Reads the currency codes of the amounts in audit entries, in the order of the IDs. Null if a currency is unknown. */
export async function readAuditedCurrencies(sql: Session, entryIds: readonly string[]): Promise<(string | null)[]> {
  const codes = entryIds.map((): string | null => null);
  const shape = { n: is.number, currency: is.orNull(is.text) };
  for (const { n, currency } of await sql.rows(sqlForReading(tables, statement), [entryIds], shape)) codes[n - 1] = currency;
  return codes;
}
