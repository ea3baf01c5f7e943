import { flag, id, instant, longText, money, ref, text } from '../../../kernel/declare/fields/fields.js';
import { permission, platform, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { choice } from '../../../kernel/declare/scalars/choices.js';
import { type Reported, reportedHistory, TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { Registration } from '../../tournaments/entries/registration.js';
import { paymentMethods } from '../choices.js';
import { Invoice } from '../invoices/invoice.js';
import { ProviderRequest } from './provider-request.js';
import { ProviderResponse } from './provider-response.js';

@record(
  {
    table: 'payment',
    changeLogColumns: ['invoiceId'],
    one: 'payment',
    many: 'payments',
    read: [platform, user],
    write: { policies: [platform] },
    audited: ['invoiceId', 'registrationId', 'amount', 'method', 'paidAt', 'isRefund', 'isReversed'],
    ownerField: 'invoiceId',
    readAll: [platform, permission('ADMIN')],
  },
  'Payment or refund of an invoice. Users see the payments of their own invoices. Platforms and users with the role ADMIN see all.',
)
export class Payment extends TrackedRecord {
  @id('ID of the payment.')
  id!: string;

  @ref(() => ProviderRequest, { one: 'request', many: 'payments' }, 'Request to the payment provider.')
  requestId!: string | null;

  @ref(() => ProviderResponse, { one: 'response', many: 'payments' }, 'Response of the payment provider.')
  responseId!: string | null;

  @ref(() => Invoice, { one: 'invoice', many: 'payments', filterable: ['one'] }, 'Invoice that the payment is for.')
  invoiceId!: string | null;

  @ref(() => Registration, { one: 'registration', many: 'payments' }, 'Registration that the payment is for.')
  registrationId!: string | null;

  @text(
    'ID of the transaction in the checkout. The provider request and response contain the same ID. Not an ID in this graph.',
    {
      max: 255,
      index: true,
      comparison: 'exact',
    },
  )
  transactionId!: string | null;

  @choice(paymentMethods, 'Payment method.')
  method!: number | null;

  @money('Amount, in the currency of the invoice.')
  amount!: string | null;

  @longText('Memo.')
  memo!: string | null;

  @instant('When the payment was made.')
  paidAt!: string | null;

  @flag('Whether the payment is a refund, which reduces the paid amount.')
  isRefund!: boolean;

  @reportedHistory()
  reported!: Reported;

  @text('Section of the website that collected the payment.')
  collectedFrom!: string | null;

  @flag('Whether the payment was reversed. Reversed payments do not count.')
  isReversed!: boolean;

  @flag('Whether additional merchant fees were charged.')
  usedAdditionalCost!: boolean;
}
