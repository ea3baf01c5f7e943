import type { Caller } from '../../kernel/declare/caller.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import type { Refund } from './refund.js';

/** Lines that were withdrawn together with what is asked about, by invoice, and at most what was paid beyond the lines that stand. */
const statement = (key: string) => `
  select gone.key, gone.invoice_id as "invoiceId", least(gone.asked, line.asked, paid.paid - line.total + line.asked) as amount,
    gone.currency
  from (select w.key, w.invoice_id, max(upper(i.currency)) as currency, sum(i.unit_price * i.units::numeric) as asked
    from (select distinct ${key} as key, l.invoice_id, l.refund_requested_at as at
      from invoice_item l join invoice v on v.id = l.invoice_id
      where ${key} = any($1) and l.refund_requested_at is not null and ($2::text is null or v.user_id = $2)) w
    join invoice_item i on i.invoice_id = w.invoice_id and i.refund_requested_at = w.at
    group by 1, 2) gone
  cross join lateral (select sum(unit_price * units::numeric) as total,
      sum(unit_price * units::numeric) filter (where refund_requested_at is not null) as asked
    from invoice_item where invoice_id = gone.invoice_id) line
  cross join lateral (select coalesce(sum(case when is_refund then -abs(amount) else amount end), 0) as paid
    from payment where invoice_id = gone.invoice_id and not is_reversed) paid
  where least(gone.asked, line.asked, paid.paid - line.total + line.asked) > 0
  order by gone.key, gone.invoice_id`;

const statements = { entry: statement('l.event_registration_id'), registration: statement('v.registration_id') };

const line = { key: is.text, invoiceId: is.text, amount: is.text, currency: is.orNull(is.text) };

/** What is to be paid back for entries or registrations that were withdrawn, in the order of their ids: to users their own. */
export async function readRefunds(
  sql: Session,
  of: keyof typeof statements,
  ids: readonly string[],
  { platform, user }: Caller,
): Promise<Refund[][]> {
  const lines = await sql.rows(statements[of], [ids, platform ? null : (user?.id ?? '')], line);
  return ids.map((id) => lines.filter(({ key }) => key === id));
}
