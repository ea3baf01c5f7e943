import { flag, group, id, ref } from '../../../kernel/declare/fields/fields.js';
import { platform } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { choice } from '../../../kernel/declare/scalars/choices.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { Club } from '../../leagues/club.js';
import { Tournament } from '../../tournaments/tournament.js';
import { moduleKinds } from '../choices.js';
import { CheckPayment, CustomPayment, PayLater, RedirectPayment } from './payment-setup-values.js';

@record(
  {
    table: 'payment_setup',
    one: 'paymentSetup',
    many: 'paymentSetups',
    read: [platform],
    write: { policies: [platform] },
    audited: ['moduleId', 'clubId', 'acceptsProviderOne', 'acceptsProviderTwo', 'acceptsOnsite'],
  },
  'Payment methods for attendees.',
)
export class PaymentSetup extends TrackedRecord {
  @id('ID of the setup.')
  id!: string;

  @choice(moduleKinds, 'Type of the record that is paid for.')
  moduleType!: string | null;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'paymentSetups' },
    'Record that is paid for. `tournament` returns only tournaments, `module` any type.',
  )
  moduleId!: string | null;

  @ref(() => Club, { one: 'club', many: 'paymentSetups' }, 'Club that is paid.')
  clubId!: string | null;

  @flag('Whether the first payment provider is enabled.')
  acceptsProviderOne!: boolean;

  @flag('Whether the second payment provider is enabled.')
  acceptsProviderTwo!: boolean;

  @flag('Whether payment on site is enabled.')
  acceptsOnsite!: boolean;

  @group(() => RedirectPayment, 'Payment on another website.')
  redirect!: RedirectPayment;

  @group(() => CustomPayment, 'Payment by a custom method of the organizer.')
  custom!: CustomPayment;

  @flag('Whether additional merchant fees are charged.')
  chargesAdditionalCost!: boolean;

  @group(() => PayLater, 'Deferred payment.')
  payLater!: PayLater;

  @group(() => CheckPayment, 'Payment by check.')
  check!: CheckPayment;
}
