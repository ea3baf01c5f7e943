import { money, text } from '../../kernel/declare/fields.js';
import { value } from '../../kernel/declare/record.js';
import { namesCurrency } from '../reference/currency.js';

@value('What an invoice comes to in one currency.')
export class InvoiceAmount {
  @text(
    'The currency in capitals, such as `USD`; null where no item names one, or beside other currencies for the items that name none.',
    { named: namesCurrency },
  )
  currency!: string | null;

  @money('Sum of the items: unit prices times units, exact.', { required: true })
  total!: string;

  @money(
    'Sum of the payments less the refunds, exact; reversed payments do not count. Null where the invoice has several currencies, because payments name none.',
  )
  paid!: string | null;

  @money('What is still to be paid: the total less what was paid. Null where `paid` is.')
  balance!: string | null;

  @money(
    'What is asked to be paid back, exact: the items that were withdrawn (`refundRequestedAt`), at most what was paid beyond the others. Null where `paid` is.',
  )
  refundRequested!: string | null;
}
