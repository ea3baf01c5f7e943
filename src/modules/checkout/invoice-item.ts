import { choice } from '../../kernel/declare/choices.js';
import { flag, id, instant, money, num, prose, ref, text } from '../../kernel/declare/fields.js';
import { Kept, type Reported, reported } from '../../kernel/declare/kept.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { namesCurrency } from '../reference/currency.js';
import { EventRegistration } from '../tournaments/event-registration.js';
import { TournamentEvent } from '../tournaments/tournament-event.js';
import { invoiceItemKinds } from './choices.js';
import { DiscountCode } from './discount-code.js';
import { Invoice } from './invoice.js';

@record(
  {
    table: 'invoice_item',
    changesBy: ['invoiceId'],
    one: 'invoiceItem',
    many: 'invoiceItems',
    read: [platform, user],
    write: { by: [platform] },
    audited: ['invoiceId', 'discountCodeId', 'unitPrice', 'units', 'currency', 'exchangeRate', 'refundRequestedAt'],
    // Its writes are by hand: they hold an invoice to one currency.
    rootFields: ['one', 'many', 'delete'],
    seenBy: 'invoiceId',
    indexes: {
      refund: '(refund_requested_at) where refund_requested_at is not null',
      currency: "(invoice_id, upper(currency)) where currency <> ''",
    },
  },
  'One line of an invoice. Users see those of their own invoices, platforms all.',
)
export class InvoiceItem extends Kept {
  @id('Id of the item.')
  id!: string;

  @ref(() => Invoice, { one: 'invoice', many: 'items', filterable: ['one', 'many'] }, 'Invoice that contains the item.')
  invoiceId!: string | null;

  @text('Id of the transaction in which it was bought, in the checkout of the platform; no record of this graph has it.', {
    max: 255,
    index: true,
    letters: 'exact',
  })
  transactionId!: string | null;

  @choice(invoiceItemKinds, 'Kind of what is paid for.')
  itemType!: string | null;

  @ref(
    () => EventRegistration,
    { one: 'eventRegistration', many: 'invoiceItems', filterable: ['one'] },
    'Entry in an event that the item charges for.',
  )
  eventRegistrationId!: string | null;

  @ref(() => TournamentEvent, { one: 'event', many: 'invoiceItems', filterable: ['one'] }, 'Event that the item charges for.')
  eventId!: string | null;

  @ref(() => TournamentEvent, { one: 'mergedFromEvent' }, 'The event that was merged into `event`.', { index: false })
  mergedFromEventId!: string | null;

  @text('Id of the merchandise in the shop of the platform; no record of this graph has it.', { max: 255 })
  merchandiseId!: string | null;

  @ref(() => DiscountCode, { one: 'discountCode', many: 'invoiceItems', filterable: ['one'] }, 'Discount code that was used.')
  discountCodeId!: string | null;

  @text("Id of the attendee's answer to a field that the organiser defined on the platform; no record of this graph has it.", {
    max: 255,
  })
  answerId!: string | null;

  @text('Id of the field on the platform to which `answerId` is the answer; no record of this graph has it.', { max: 255 })
  answerFieldId!: string | null;

  @text('Id of the choice that was taken on the platform, where that field offers choices; no record of this graph has it.', {
    max: 255,
  })
  answerItemId!: string | null;

  @flag('It is a service fee.')
  isServiceFee!: boolean;

  @flag('It is a fee for one more activity.')
  isAdditionalActivityFee!: boolean;

  @text('Title.')
  title!: string | null;

  @prose('Description.')
  description!: string | null;

  @prose('Note on the transaction.')
  note!: string | null;

  @money('Price of one unit, in `currency`.')
  unitPrice!: string | null;

  @num('How many units, fractions allowed.')
  units!: number | null;

  @flag('The title of the activity changed after the registration.')
  hasNewTitle!: boolean;

  @reported()
  reported!: Reported;

  @flag('It is the automatic discount for members of the Super Senior International Pickleball Association.')
  isSsipaDiscount!: boolean;

  @flag('It is the automatic discount for members of the Global Pickleball Alliance.')
  isGpaDiscount!: boolean;

  @instant(
    'When a refund of the item was requested, after the player withdrew from its event or tournament. Null without a request. Platforms decline the refund by setting null: the tournament then keeps the payment for the item.',
  )
  refundRequestedAt!: string | null;

  @instant(
    'When the player withdrew from the event or tournament of the item. Withdrawn items are not owed. Null for items that are not withdrawn. Set by the server.',
    { readOnly: true },
  )
  withdrawnAt!: string | null;

  @text('Id of the split of the activity on the platform; no record of this graph has it.', { max: 255 })
  activitySplitId!: string | null;

  @flag('The service fee of the platform is paid.')
  isPlatformFeePaid!: boolean;

  @money('Price of one unit in US dollars.')
  unitPriceInUsd!: string | null;

  @text(
    'The currency of the price and of what was paid, such as USD. All items of an invoice that name one name the same, in any case of letters.',
    { named: namesCurrency },
  )
  currency!: string | null;

  @money('Exchange rate to US dollars when the invoice was made.')
  exchangeRate!: string | null;
}
