import { money, text } from '../../../kernel/declare/fields/fields.js';
import { value } from '../../../kernel/declare/record.js';
import { namesCurrency } from '../../reference/records/locations.js';

@value(
  'Amount of one invoice to be refunded to a player who withdrew after a payment. The platform pays it back and records a payment with `isRefund`. This completes the refund.',
)
export class Refund {
  invoiceId!: string;

  @money('Exact amount: payments for the items withdrawn together, minus the fees that the tournament keeps.', {
    required: true,
  })
  amount!: string;

  @text('Currency of the invoice, such as `USD`. Null if it has none.', { nameReference: namesCurrency })
  currency!: string | null;
}
