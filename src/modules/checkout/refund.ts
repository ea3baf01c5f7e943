import { money, text } from '../../kernel/declare/fields.js';
import { value } from '../../kernel/declare/record.js';
import { namesCurrency } from '../reference/currency.js';

@value(
  'What a player who has withdrawn after paying is to get back on one invoice. It is asked for, no money has moved: the platform pays it back, records that as a payment that `isRefund`, and then it is nothing.',
)
export class Refund {
  invoiceId!: string;

  @money('The amount, exact: the lines that were withdrawn, at most what was paid beyond the others.', { required: true })
  amount!: string;

  @text('The currency of the invoice, such as `USD`; null where it names none.', { named: namesCurrency })
  currency!: string | null;
}
