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

  @money(
    'Sum of the items that are not withdrawn: unit prices times units, exact; plus what the tournament keeps of what was paid for withdrawn items.',
    { required: true },
  )
  total!: string;

  @money(
    'Sum of the payments less the refunds, exact; reversed payments do not count. Null where the invoice has several currencies, because payments name none.',
  )
  paid!: string | null;

  @money(
    'Amount that is still to be paid: `total` less `paid`, plus `refundRequested`. Zero after everything was withdrawn, even if only a part was paid. Null where `paid` is.',
  )
  balance!: string | null;

  @money(
    'Amount that the platform is to refund after a withdrawal, exact: what was paid for withdrawn items, less the fees that the tournament keeps. Null where `paid` is.',
  )
  refundRequested!: string | null;
}
