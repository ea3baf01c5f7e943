import { flag, id, instant, longText, money, num, ref, text } from '../../../kernel/declare/fields/fields.js';
import { permission, platform, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { choice } from '../../../kernel/declare/scalars/choices.js';
import { type Reported, reportedHistory, TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { currencyReference } from '../../reference/records/locations.js';
import { EventRegistration } from '../../tournaments/entries/event-registration.js';
import { TournamentEvent } from '../../tournaments/tournament-event.js';
import { invoiceItemKinds } from '../choices.js';
import { DiscountCode } from '../discounts/discount-code.js';
import { Invoice } from './invoice.js';

@record(
  {
    table: 'invoice_item',
    changeLogColumns: ['invoiceId'],
    one: 'invoiceItem',
    many: 'invoiceItems',
    read: [platform, user],
    write: { policies: [platform] },
    audited: ['invoiceId', 'discountCodeId', 'unitPrice', 'units', 'currency', 'exchangeRate', 'refundRequestedAt'],
    // The other mutations are handwritten, because all items of an invoice must have the same currency.
    rootFields: ['one', 'many', 'delete'],
    ownerField: 'invoiceId',
    readAll: [platform, permission('ADMIN')],
    indexes: {
      refund: '(refund_requested_at) where refund_requested_at is not null',
      currency: "(invoice_id, upper(currency)) where currency <> ''",
    },
  },
  'Line of an invoice. Users see the items of their own invoices. Platforms and users with the role ADMIN see all.',
)
export class InvoiceItem extends TrackedRecord {
  @id('ID of the item.')
  id!: string;

  @ref(() => Invoice, { one: 'invoice', many: 'items', filterable: ['one', 'many'] }, 'Invoice that contains the item.')
  invoiceId!: string | null;

  @text("ID of the purchase transaction in the platform's checkout. Not an ID in this graph.", {
    max: 255,
    index: true,
    comparison: 'exact',
  })
  transactionId!: string | null;

  @choice(invoiceItemKinds, 'Type of the item.')
  type!: string | null;

  @ref(
    () => EventRegistration,
    { one: 'eventRegistration', many: 'invoiceItems', filterable: ['one'] },
    'Event entry that the item charges for.',
  )
  eventRegistrationId!: string | null;

  @ref(() => TournamentEvent, { one: 'event', many: 'invoiceItems', filterable: ['one'] }, 'Event that the item charges for.')
  eventId!: string | null;

  @ref(() => TournamentEvent, { one: 'mergedFromEvent' }, 'Event that was merged into `event`.', { index: false })
  mergedFromEventId!: string | null;

  @text("ID of the merchandise in the platform's shop. Not an ID in this graph.", { max: 255 })
  merchandiseId!: string | null;

  @ref(() => DiscountCode, { one: 'discountCode', many: 'invoiceItems', filterable: ['one'] }, 'Discount code that was used.')
  discountCodeId!: string | null;

  @text("ID of the attendee's answer to a field that the organizer defined on the platform. Not an ID in this graph.", {
    max: 255,
  })
  answerId!: string | null;

  @text("ID of the platform's field that `answerId` answers. Not an ID in this graph.", { max: 255 })
  answerFieldId!: string | null;

  @text('ID of the selected choice on the platform, if the field offers choices. Not an ID in this graph.', {
    max: 255,
  })
  answerItemId!: string | null;

  @flag('Whether this is a service fee.')
  isServiceFee!: boolean;

  @flag('Whether this is a fee for an additional activity.')
  isAdditionalActivityFee!: boolean;

  @text('Title.')
  title!: string | null;

  @longText('Description.')
  description!: string | null;

  @longText('Note on the transaction.')
  note!: string | null;

  @money('Price of one unit, in `currency`.')
  unitPrice!: string | null;

  @num('Number of units. May be fractional.')
  units!: number | null;

  @flag('Whether the title of the activity changed after the registration.')
  hasNewTitle!: boolean;

  @reportedHistory()
  reported!: Reported;

  @flag('Whether this is the automatic discount for members of the Super Senior International Pickleball Association.')
  isSsipaDiscount!: boolean;

  @flag('Whether this is the automatic discount for members of the Global Pickleball Alliance.')
  isGpaDiscount!: boolean;

  @instant(
    'When a refund of the item was requested, after the player withdrew from its event or tournament. Null if no refund was requested. To decline the refund, platforms set this field to null. The tournament then keeps the payment for the item.',
  )
  refundRequestedAt!: string | null;

  @instant(
    'When the player withdrew from the event or tournament of the item. Nothing is owed for a withdrawn item. Null for items that are not withdrawn. Set by the server.',
    { readOnly: true },
  )
  withdrawnAt!: string | null;

  @text("ID of the activity's split on the platform. Not an ID in this graph.", { max: 255 })
  activitySplitId!: string | null;

  @flag('Whether the service fee of the platform is paid.')
  isPlatformFeePaid!: boolean;

  @money('Price of one unit in US dollars.')
  unitPriceInUsd!: string | null;

  @text(
    'Currency of the price and the payment, such as USD. All items of an invoice have the same currency or none. Case is ignored.',
    { nameReference: currencyReference },
  )
  currency!: string | null;

  @money('Exchange rate to US dollars when the invoice was created.')
  exchangeRate!: string | null;
}
