import { money, text } from '../../kernel/declare/fields.js';
import { value } from '../../kernel/declare/record.js';
import { namesCurrency } from '../reference/currency.js';

@value(
  'Amount that a player who withdrew after a payment is to get back on one invoice. It is a request: the platform pays it back and records that as a payment with `isRefund`. Then the refund is gone.',
)
export class Refund {
  invoiceId!: string;

  @money('Exact amount: the payments for the items that were withdrawn together, minus the fees that the tournament keeps.', {
    required: true,
  })
  amount!: string;

  @text('The currency of the invoice, such as `USD`; null where it names none.', { named: namesCurrency })
  currency!: string | null;
}
