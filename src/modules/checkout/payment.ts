import { choice } from '../../kernel/declare/choices.js';
import { flag, id, instant, money, prose, ref, text } from '../../kernel/declare/fields.js';
import { Kept, type Reported, reported } from '../../kernel/declare/kept.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { Registration } from '../tournaments/registration.js';
import { paymentMethods } from './choices.js';
import { Invoice } from './invoice.js';
import { ProviderRequest } from './provider-request.js';
import { ProviderResponse } from './provider-response.js';

@record(
  {
    table: 'payment',
    changesBy: ['invoiceId'],
    one: 'payment',
    many: 'payments',
    read: [platform, user],
    write: { by: [platform] },
    audited: ['invoiceId', 'registrationId', 'amount', 'method', 'paidAt', 'isRefund', 'isReversed'],
    seenBy: 'invoiceId',
  },
  'Money that was paid on an invoice, or paid back. Users see those of their own invoices, platforms all.',
)
export class Payment extends Kept {
  @id('Id of the payment.')
  id!: string;

  @ref(() => ProviderRequest, { one: 'request', many: 'payments' }, 'What was sent to the payment provider.')
  requestId!: string | null;

  @ref(() => ProviderResponse, { one: 'response', many: 'payments' }, 'What the payment provider answered.')
  responseId!: string | null;

  @ref(() => Invoice, { one: 'invoice', many: 'payments', filterable: ['one'] }, 'Invoice that it pays.')
  invoiceId!: string | null;

  @ref(() => Registration, { one: 'registration', many: 'payments' }, 'The registration that it pays.')
  registrationId!: string | null;

  @text('Id of the transaction in the checkout, as request and response have it; no record of this graph has it.', {
    max: 255,
    index: true,
    letters: 'exact',
  })
  transactionId!: string | null;

  @choice(paymentMethods, 'How it was paid.')
  method!: number | null;

  @money('The amount, in the currency of the invoice.')
  amount!: string | null;

  @prose('Memo.')
  memo!: string | null;

  @instant('When it was paid.')
  paidAt!: string | null;

  @flag('The amount was paid back: it counts against what was paid.')
  isRefund!: boolean;

  @reported()
  reported!: Reported;

  @text('Part of the site where it was collected.')
  collectedFrom!: string | null;

  @flag('It was reversed, so that it does not count.')
  isReversed!: boolean;

  @flag('The additional cost of the merchant, by the fee plan, was used.')
  usedAdditionalCost!: boolean;
}
