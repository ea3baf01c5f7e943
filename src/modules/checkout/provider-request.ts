import { flag, id, num, ref, text } from '../../kernel/fields.js';
import { Kept, type Reported, reported } from '../../kernel/kept.js';
import { platform } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';
import { User } from '../accounts/user.js';
import { Registration } from '../tournaments/registration.js';
import { Tournament } from '../tournaments/tournament.js';
import { Invoice } from './invoice.js';

@record(
  { table: 'provider_request', one: 'providerRequest', many: 'providerRequests', read: [platform], write: { by: [platform] } },
  'What was sent to the first payment provider: the provider-one request of section 2.4.',
)
export class ProviderRequest extends Kept {
  @id('Id of the request.')
  id!: string;

  @ref(() => Registration, { one: 'registration', many: 'providerRequests' }, 'The registration that is paid for.')
  registrationId!: string | null;

  @text('Id of the transaction.', { max: 255, index: true, letters: 'exact' })
  transactionId!: string | null;

  @text('Kind of thing that is paid for, as the platform writes it, such as Tournaments.')
  moduleType!: string | null;

  @ref(() => User, { one: 'user', many: 'providerRequests' }, 'Who pays.')
  userId!: string | null;

  @text('The amount to be paid, as the platform writes it, in `currency`.')
  totalAmount!: string | null;

  @text("E-mail address or merchant id of the payee's account.")
  payeeAccount!: string | null;

  @text('Where the provider tells of the payment.')
  notificationUrl!: string | null;

  @text('ISO 4217 code of the currency.')
  currency!: string | null;

  @flag('It is a test.')
  isTest!: boolean;

  @reported()
  reported!: Reported;

  @num('Version of the checkout on the platform.')
  checkoutVersion!: number | null;

  @ref(() => Invoice, { one: 'invoice', many: 'providerRequests' }, 'The invoice that is paid.')
  invoiceId!: string | null;

  @text("Second e-mail address or merchant id of the payee's account.")
  secondPayeeAccount!: string | null;

  @ref(() => Tournament, { one: 'tournament', many: 'providerRequests' }, 'Id of what is paid for, which may be a tournament.')
  moduleId!: string | null;

  @text('Name of the machine that sent it.')
  machineName!: string | null;
}
