import { money, text } from '../../../kernel/declare/fields/fields.js';
import { value } from '../../../kernel/declare/record.js';
import { namesCurrency } from '../../reference/records/locations.js';

@value('Amounts of an invoice in one currency.')
export class InvoiceAmount {
  @text('Currency in upper case, such as `USD`. Null for items without a currency.', { nameReference: namesCurrency })
  currency!: string | null;

  @money(
    'Exact sum of `unitPrice` times `units` of the items that are not withdrawn, plus the amount that the tournament keeps for withdrawn items.',
    { required: true },
  )
  total!: string;

  @money(
    'Exact sum of the payments minus the refunds. Reversed payments do not count. Null if the invoice has several currencies, because payments have no currency.',
  )
  paid!: string | null;

  @money(
    'Amount still to be paid: `total` minus `paid`, plus `refundRequested`. Zero after a full withdrawal, even if only a part was paid. Null if `paid` is null.',
  )
  balance!: string | null;

  @money(
    'Exact amount that the platform has to refund after a withdrawal: the payment for withdrawn items, minus the amount that the tournament keeps. Null if `paid` is null.',
  )
  refundRequested!: string | null;
}
