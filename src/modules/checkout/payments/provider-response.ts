import { integerInText, moneyInText } from '../../../kernel/declare/fields/converted-fields.js';
import { group, id, instant, longText, ref, text } from '../../../kernel/declare/fields/fields.js';
import { permission, platform } from '../../../kernel/declare/policy/policy.js';
import { record, value } from '../../../kernel/declare/record.js';
import { choice } from '../../../kernel/declare/scalars/choices.js';
import { type Reported, reportedHistory, TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { countryReference, stateReference } from '../../reference/records/locations.js';
import {
  accountStatuses,
  addressStatuses,
  providerChecks,
  providerPaymentStatuses,
  providerPaymentTypes,
} from './payment-choices.js';
import { ProviderRequest } from './provider-request.js';

@value('Payer, as reported by the payment provider.')
export class Payer {
  @text('City.', { personal: true })
  city!: string | null;

  @text('Country.', { nameReference: countryReference })
  country!: string | null;

  @text('Code of the country.')
  countryCode!: string | null;

  @text('State.', { nameReference: stateReference })
  state!: string | null;

  @choice(addressStatuses, 'Whether the street address of the payer is confirmed.')
  addressStatus!: string | null;

  @text('Street and number.', { personal: true })
  address!: string | null;

  @text('Postal code.', { personal: true })
  zip!: string | null;

  @text('First name.', { personal: true })
  firstName!: string | null;

  @text('Last name.', { personal: true })
  lastName!: string | null;

  @text('Name of the business.', { personal: true })
  businessName!: string | null;

  @text('Email address.', { personal: true })
  email!: string | null;

  @text('ID of the account at the payment provider. Not an ID in this graph.', { max: 255, personal: true })
  accountId!: string | null;

  @choice(accountStatuses, 'Whether the account is verified.')
  accountStatus!: string | null;

  @text('Phone number.', { personal: true })
  phone!: string | null;
}

@record(
  {
    table: 'provider_response',
    one: 'providerResponse',
    many: 'providerResponses',
    read: [platform, permission('ADMIN')],
    write: { policies: [platform] },
    person: { field: 'requestId' },
  },
  'Response of a payment provider. Texts, dates and amounts are in the format of the provider.',
)
export class ProviderResponse extends TrackedRecord {
  @id('ID of the response.')
  id!: string;

  @instant('When the provider reported the payment.')
  receivedAt!: string | null;

  @ref(() => ProviderRequest, { one: 'request', many: 'responses' }, 'Payment request that this response belongs to.')
  requestId!: string | null;

  @text(
    "ID of the transaction, assigned by the platform's checkout or by this service. The provider request contains the same ID. For the provider's own ID, see `providerTransactionId`. Not an ID in this graph.",
    {
      max: 255,
      index: true,
      comparison: 'exact',
    },
  )
  transactionId!: string | null;

  @longText('Raw response.', { personal: true })
  body!: string | null;

  @longText('Details of the verification.')
  validationMessage!: string | null;

  @choice(providerChecks, 'Result of the verification.')
  validationStatus!: string | null;

  @text('Page that the payer visited.')
  page!: string | null;

  @group(() => Payer, 'Payer.')
  payer!: Payer;

  @text('Account of the business that was paid.')
  business!: string | null;

  @text('Name of the purchased item.')
  itemName!: string | null;

  @text('Item number of the purchased item.')
  itemNumber!: string | null;

  @integerInText('Number of purchased units.')
  quantity!: string | null;

  @text('Email address of the recipient.')
  receiverEmail!: string | null;

  @text('ID of the recipient at the payment provider. Not an ID in this graph.', { max: 255 })
  receiverId!: string | null;

  @longText('Custom data of the platform, passed through by the provider.', { personal: true })
  customMessage!: string | null;

  @longText('Memo of the payer.', { personal: true })
  memo!: string | null;

  @text('Invoice number, passed through by the provider.')
  invoiceNumber!: string | null;

  @moneyInText('Tax, in the currency of the request.')
  tax!: string | null;

  @integerInText('Number of items in the cart.')
  cartItems!: string | null;

  @text('Time of the payment in the format of the provider, such as `10:12:59 Mar 04, 2026 PST`.')
  paymentTime!: string | null;

  @choice(providerPaymentStatuses, 'Status of the payment.')
  paymentStatus!: string | null;

  @choice(providerPaymentTypes, 'Payment type.')
  paymentType!: string | null;

  @text('Reason why the payment is pending.')
  pendingReason!: string | null;

  @text('ID of the transaction at the payment provider. Not an ID in this graph.', { max: 255 })
  providerTransactionId!: string | null;

  @text('Type of the transaction at the provider.')
  providerTransactionType!: string | null;

  @moneyInText('Fee of the provider, in the currency of the request.')
  fee!: string | null;

  @moneyInText('Amount before the fee, in the currency of the request.')
  gross!: string | null;

  @text('Version of the notification.')
  notifyVersion!: string | null;

  @text('Signature of the notification.')
  signature!: string | null;

  @reportedHistory()
  reported!: Reported;

  @text('Name of the machine that received the response of the payment provider.')
  machineName!: string | null;
}
