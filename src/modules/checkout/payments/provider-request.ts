import { integerInNumber, moneyInText } from '../../../kernel/declare/fields/converted-fields.js';
import { flag, id, instant, ref, text, values } from '../../../kernel/declare/fields/fields.js';
import { permission, platform } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { choice } from '../../../kernel/declare/scalars/choices.js';
import { type Reported, reportedHistory, TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { User } from '../../accounts/users/user.js';
import { currencyReference } from '../../reference/records/locations.js';
import { Registration } from '../../tournaments/entries/registration.js';
import { Tournament } from '../../tournaments/tournament.js';
import { moduleKinds } from '../choices.js';
import { Invoice } from '../invoices/invoice.js';
import { PaymentProvider } from './payment-choices.js';

@record(
  {
    table: 'provider_request',
    one: 'providerRequest',
    many: 'providerRequests',
    read: [platform, permission('ADMIN')],
    write: { policies: [platform] },
    person: { field: 'userId' },
  },
  'Payment request to a payment provider.',
)
export class ProviderRequest extends TrackedRecord {
  @id('ID of the request.')
  id!: string;

  @values(PaymentProvider, 'Payment provider.', { required: true, default: "'PROVIDER_ONE'" })
  provider!: PaymentProvider;

  @instant(
    'When the request was superseded by another checkout or a withdrawal. Superseded requests must not be collected. Null if the request is current.',
    { readOnly: true },
  )
  supersededAt!: string | null;

  @ref(() => Registration, { one: 'registration', many: 'providerRequests' }, 'Registration that the payment is for.')
  registrationId!: string | null;

  @text('ID of the transaction, assigned by the checkout of the platform or by this service. Not an ID in this graph.', {
    max: 255,
    index: true,
    comparison: 'exact',
  })
  transactionId!: string | null;

  @choice(moduleKinds, 'Type of the record that the payment is for.')
  moduleType!: string | null;

  @ref(() => User, { one: 'user', many: 'providerRequests' }, 'User who pays.')
  userId!: string | null;

  @moneyInText('Amount to be paid, in `currency`.')
  totalAmount!: string | null;

  @text("Email address or merchant ID of the payee's account.")
  payeeAccount!: string | null;

  @text('URL for notifications of the provider.')
  notificationUrl!: string | null;

  @text('ISO 4217 code of the currency.', { nameReference: currencyReference })
  currency!: string | null;

  @flag('Whether this is a test without a real payment.')
  isTest!: boolean;

  @reportedHistory()
  reported!: Reported;

  @integerInNumber('Version of the checkout that sent the request.')
  checkoutVersion!: number | null;

  @ref(() => Invoice, { one: 'invoice', many: 'providerRequests' }, 'Invoice that the payment is for.')
  invoiceId!: string | null;

  @text("Second email address or merchant ID of the payee's account.")
  secondPayeeAccount!: string | null;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'providerRequests' },
    'Record that the payment is for. The field `tournament` is null if the record is not a tournament. The field `module` returns records of any type.',
  )
  moduleId!: string | null;

  @text('Name of the machine that sent the request to the payment provider.')
  machineName!: string | null;
}
