import { flag, id, num, ref, text } from '../../kernel/declare/fields.js';
import { Kept, type Reported, reported } from '../../kernel/declare/kept.js';
import { platform } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { User } from '../accounts/user.js';
import { Registration } from '../tournaments/registration.js';
import { Tournament } from '../tournaments/tournament.js';
import { Invoice } from './invoice.js';

@record(
  { table: 'provider_request', one: 'providerRequest', many: 'providerRequests', read: [platform], write: { by: [platform] } },
  'What was sent to the first payment provider to ask for a payment.',
)
export class ProviderRequest extends Kept {
  @id('Id of the request.')
  id!: string;

  @ref(() => Registration, { one: 'registration', many: 'providerRequests' }, 'The registration that is paid for.')
  registrationId!: string | null;

  @text('Id of the transaction in the checkout.', { max: 255, index: true, letters: 'exact' })
  transactionId!: string | null;

  @text('Kind of thing that is paid for, mostly a title of `moduleTypes`, such as Tournaments.')
  moduleType!: string | null;

  @ref(() => User, { one: 'user', many: 'providerRequests' }, 'Who pays.')
  userId!: string | null;

  @text('The amount to be paid, in `currency`: text, as it was sent.')
  totalAmount!: string | null;

  @text("E-mail address or merchant id of the payee's account.")
  payeeAccount!: string | null;

  @text('Where the provider tells of the payment.')
  notificationUrl!: string | null;

  @text('ISO 4217 code of the currency.')
  currency!: string | null;

  @flag('It is a test: no money moves.')
  isTest!: boolean;

  @reported()
  reported!: Reported;

  @num('Version of the checkout that sent it.')
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
