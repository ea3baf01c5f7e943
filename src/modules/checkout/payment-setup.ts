import { choice } from '../../kernel/declare/choices.js';
import { flag, group, id, ref } from '../../kernel/declare/fields.js';
import { Kept } from '../../kernel/declare/kept.js';
import { platform } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { Club } from '../leagues/club.js';
import { Tournament } from '../tournaments/tournament.js';
import { moduleKinds } from './choices.js';
import { CheckPayment, CustomPayment, PayLater, RedirectPayment } from './payment-setup-values.js';

@record(
  {
    table: 'payment_setup',
    one: 'paymentSetup',
    many: 'paymentSetups',
    read: [platform],
    write: { by: [platform] },
    audited: ['moduleId', 'clubId', 'acceptsProviderOne', 'acceptsProviderTwo', 'acceptsOnsite'],
  },
  'The ways to pay that are open to attendees.',
)
export class PaymentSetup extends Kept {
  @id('Id of the setup.')
  id!: string;

  @choice(moduleKinds, 'Kind of thing that is paid for.')
  moduleType!: string | null;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'paymentSetups' },
    'What is paid for: its id, or the tournament where it is one.',
  )
  moduleId!: string | null;

  @ref(() => Club, { one: 'club', many: 'paymentSetups' }, 'The club that is paid.')
  clubId!: string | null;

  @flag('One can pay through the first payment provider.')
  acceptsProviderOne!: boolean;

  @flag('One can pay through the second payment provider.')
  acceptsProviderTwo!: boolean;

  @flag('One can pay on site.')
  acceptsOnsite!: boolean;

  @group(() => RedirectPayment, 'Paying on another website.')
  redirect!: RedirectPayment;

  @group(() => CustomPayment, "Paying in the organiser's own way.")
  custom!: CustomPayment;

  @flag('The additional cost of the merchant is charged.')
  chargesAdditionalCost!: boolean;

  @group(() => PayLater, 'Paying later.')
  payLater!: PayLater;

  @group(() => CheckPayment, 'Paying by check.')
  check!: CheckPayment;
}
