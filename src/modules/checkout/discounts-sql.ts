import { is, type RowShaped } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';

/** What a discount takes off one line of an invoice, as decimal text. */
const discounted = { eventRegistrationId: is.orNull(is.text), eventId: is.orNull(is.text), off: is.text };

export type Discounted = RowShaped<typeof discounted>;

const statement = `
  select line.event_registration_id as "eventRegistrationId", line.event_id as "eventId", line.off::text as off
  from (select price.*, case when $2::numeric is null then price.price
      else least(price.price, greatest($2::numeric - price.before, 0)) end as off
    from (select i.*, i.unit_price * i.units::numeric as price,
        coalesce(sum(i.unit_price * i.units::numeric) over (order by i.created_at, i.id
          rows between unbounded preceding and 1 preceding), 0) as before
      from invoice_item i where i.invoice_id = $1 and i.unit_price * i.units::numeric > 0) price) line
  where line.off > 0
  order by line.created_at, line.id`;

/** Spreads an amount over the lines of an invoice, from the first one on and at most what they come to; null covers everything. */
export const discountsOn = (sql: Session, invoiceId: string, amount: string | null): Promise<Discounted[]> =>
  sql.rows(statement, [invoiceId, amount], discounted);
