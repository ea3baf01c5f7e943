import { flag, group, id, instant, longText, ref, text } from '../../../kernel/declare/fields/fields.js';
import { permission, platform } from '../../../kernel/declare/policy/policy.js';
import { record, value } from '../../../kernel/declare/record.js';
import { choice } from '../../../kernel/declare/scalars/choices.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { Club } from '../../leagues/club.js';
import { Country, State } from '../../reference/records/locations.js';
import { Tournament } from '../../tournaments/tournament.js';
import { moduleKinds } from '../choices.js';

@value('Payment on another website.')
export class RedirectPayment {
  @flag('Whether the method is enabled.')
  isEnabled!: boolean;

  @text('URL of the website.')
  url!: string | null;

  @text('Title of the link.')
  title!: string | null;
}

@value('Payment by a custom method that the organizer defines.')
export class CustomPayment {
  @flag('Whether the method is enabled.')
  isEnabled!: boolean;

  @text('Title.')
  title!: string | null;

  @longText('Instructions for the payer.')
  content!: string | null;
}

@value('Deferred payment.')
export class PayLater {
  @flag('Whether the method is enabled.')
  isEnabled!: boolean;

  @instant('Payment deadline.')
  deadline!: string | null;
}

@value('Payment by check.')
export class CheckPayment {
  @text('Payee of the checks.')
  payableTo!: string | null;

  @text('Name of the recipient.')
  attention!: string | null;

  @text('First line of the address.')
  addressLine1!: string | null;

  @text('Second line of the address.')
  addressLine2!: string | null;

  @ref(() => Country, { one: 'country' }, 'Country of the address.', { index: false })
  countryId!: string | null;

  @ref(() => State, { one: 'state' }, 'State of the address.', { index: false })
  stateId!: string | null;

  @text('Postal code.')
  zip!: string | null;

  @text('City.')
  city!: string | null;
}

@record(
  {
    table: 'payment_setup',
    one: 'paymentSetup',
    many: 'paymentSetups',
    read: [platform, permission('ADMIN')],
    write: { policies: [platform] },
    audited: ['moduleId', 'clubId', 'acceptsProviderOne', 'acceptsProviderTwo', 'acceptsOnsite'],
  },
  'Payment methods for attendees.',
)
export class PaymentSetup extends TrackedRecord {
  @id('ID of the setup.')
  id!: string;

  @choice(moduleKinds, 'Type of the record that the setup applies to.')
  moduleType!: string | null;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'paymentSetups' },
    'Record that the setup applies to. The field `tournament` is null if the record is not a tournament. The field `module` returns records of any type.',
  )
  moduleId!: string | null;

  @ref(() => Club, { one: 'club', many: 'paymentSetups' }, 'Club that receives the payments.')
  clubId!: string | null;

  @flag('Whether the first payment provider is enabled.')
  acceptsProviderOne!: boolean;

  @flag('Whether the second payment provider is enabled.')
  acceptsProviderTwo!: boolean;

  @flag('Whether on-site payment is enabled.')
  acceptsOnsite!: boolean;

  @group(() => RedirectPayment, 'Payment on another website.')
  redirect!: RedirectPayment;

  @group(() => CustomPayment, 'Payment by a custom method that the organizer defines.')
  custom!: CustomPayment;

  @flag('Whether additional merchant fees are charged.')
  chargesAdditionalCost!: boolean;

  @group(() => PayLater, 'Deferred payment.')
  payLater!: PayLater;

  @group(() => CheckPayment, 'Payment by check.')
  check!: CheckPayment;
}
