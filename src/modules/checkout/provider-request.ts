import { choice } from '../../kernel/declare/choices.js';
import { flag, id, instant, ref, text, values } from '../../kernel/declare/fields.js';
import { Kept, type Reported, reported } from '../../kernel/declare/kept.js';
import { platform } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { moneyInText, wholeNumber } from '../../kernel/declare/shown-fields.js';
import { User } from '../accounts/user.js';
import { namesCurrency } from '../reference/currency.js';
import { Registration } from '../tournaments/registration.js';
import { Tournament } from '../tournaments/tournament.js';
import { moduleKinds } from './choices.js';
import { Invoice } from './invoice.js';
import { PaymentProvider } from './payment-provider.js';

@record(
  {
    table: 'provider_request',
    one: 'providerRequest',
    many: 'providerRequests',
    read: [platform],
    write: { by: [platform] },
    person: { by: 'userId' },
  },
  'What is sent to a payment provider to ask for a payment.',
)
export class ProviderRequest extends Kept {
  @id('Id of the request.')
  id!: string;

  @values(PaymentProvider, 'The payment provider that is asked.', { required: true, default: "'PROVIDER_ONE'" })
  provider!: PaymentProvider;

  @instant(
    'When it stopped to count, because another checkout took its place or what it asks for was withdrawn: it must not be collected any more. Null while it counts.',
    { readOnly: true },
  )
  supersededAt!: string | null;

  @ref(() => Registration, { one: 'registration', many: 'providerRequests' }, 'The registration that is paid for.')
  registrationId!: string | null;

  @text('Id of the transaction, in the checkout of the platform or made by this service; no record of this graph has it.', {
    max: 255,
    index: true,
    letters: 'exact',
  })
  transactionId!: string | null;

  @choice(moduleKinds, 'Kind of thing that is paid for.')
  moduleType!: string | null;

  @ref(() => User, { one: 'user', many: 'providerRequests' }, 'Who pays.')
  userId!: string | null;

  @moneyInText('The amount to be paid, in `currency`.')
  totalAmount!: string | null;

  @text("E-mail address or merchant id of the payee's account.")
  payeeAccount!: string | null;

  @text('Where the provider tells of the payment.')
  notificationUrl!: string | null;

  @text('ISO 4217 code of the currency.', { named: namesCurrency })
  currency!: string | null;

  @flag('It is a test: no money moves.')
  isTest!: boolean;

  @reported()
  reported!: Reported;

  @wholeNumber('Version of the checkout that sent it.')
  checkoutVersion!: number | null;

  @ref(() => Invoice, { one: 'invoice', many: 'providerRequests' }, 'The invoice that is paid.')
  invoiceId!: string | null;

  @text("Second e-mail address or merchant id of the payee's account.")
  secondPayeeAccount!: string | null;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'providerRequests' },
    'What is paid for: its id, or the tournament where it is one.',
  )
  moduleId!: string | null;

  @text('Name of the machine that sent it.')
  machineName!: string | null;
}
