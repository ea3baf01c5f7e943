import { Field, InputType } from 'type-graphql';
import { money, num, ref, text } from '../../../kernel/declare/fields/fields.js';
import { validatedBy } from '../../../kernel/declare/input-rules.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { value } from '../../../kernel/declare/record.js';
import { choice } from '../../../kernel/declare/scalars/choices.js';
import { currencyReference } from '../../reference/records/locations.js';
import { checkTeamsInput, RegisterTeamInput } from '../../tournaments/entries/register-team-input.js';
import { TournamentEvent } from '../../tournaments/tournament-event.js';
import { invoiceItemKinds } from '../choices.js';
import { checkCheckout } from '../invoices/checkout-values.js';
import type { PaymentOption } from '../payments/payment-choices.js';

/** Validates the input of a quote without reading the database. Throws one error that lists all problems. */
export function checkQuote({ events, discountCode }: Partial<QuoteInput>, path: string): void {
  runChecks(
    () => events && checkTeamsInput({ events }, path),
    () => checkCheckout({ discountCode: discountCode ?? null }, path),
  );
}

@validatedBy(checkQuote)
@InputType({ description: 'Registration to calculate the price of.' })
export class QuoteInput {
  @Field(() => [RegisterTeamInput], {
    description:
      'Events that the signed-in user wants to enter: 1 to 20 events of one tournament, each at most once, each with an optional partner.',
  })
  events!: RegisterTeamInput[];

  @Field(() => String, {
    nullable: true,
    description:
      "Discount code that the player entered, as in `CheckoutInput`. Null or an empty string means no code. If the field is absent, the code on the registration's unpaid invoice applies.",
  })
  discountCode?: string | null;
}

@value('Item that the invoice of a registration would contain.')
export class QuoteItem {
  @choice(invoiceItemKinds, 'Type of the item.')
  type!: string | null;

  @text('Title.')
  title!: string | null;

  @ref(() => TournamentEvent, { one: 'event' }, 'Event that the item charges for. Null for the registration fee.')
  eventId!: string | null;

  @money('Price of one unit, in the `currency` of the quote. Negative for a discount.')
  unitPrice!: string | null;

  @num('Number of units. May be fractional.')
  units!: number | null;

  @text('Discount code of a discount item. Null for other items.')
  code!: string | null;
}

@value('Price of a registration that does not exist yet.')
export class Quote {
  items!: QuoteItem[];
  methods!: PaymentOption[];

  @money('Exact sum of `unitPrice` times `units` of all items.', { required: true })
  total!: string;

  @text('Currency of the tournament, such as `USD`. Null if the tournament has no currency.', {
    nameReference: currencyReference,
  })
  currency!: string | null;
}
