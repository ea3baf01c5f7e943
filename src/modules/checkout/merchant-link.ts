import { choice } from '../../kernel/declare/choices.js';
import { flag, group, id, ref, text } from '../../kernel/declare/fields.js';
import { Kept, type Reported, reported } from '../../kernel/declare/kept.js';
import { platform } from '../../kernel/declare/policy.js';
import { record, value } from '../../kernel/declare/record.js';
import { Tournament } from '../tournaments/tournament.js';
import { moduleKinds } from './choices.js';
import { merchantAccountTypes } from './provider-choices.js';

@value("A merchant's account at the first payment provider.")
export class ProviderOneAccount {
  @flag('It is in use.')
  isEnabled!: boolean;

  @text('E-mail address or merchant id.')
  account!: string | null;

  @text('Second e-mail address or merchant id.')
  secondAccount!: string | null;
}

@value("A merchant's account at the second payment provider.")
export class ProviderTwoAccount {
  @flag('It is in use.')
  isEnabled!: boolean;

  @text('Id of the merchant at the payment provider; no record of this graph has it.')
  merchantId!: string | null;

  @text('E-mail address.')
  email!: string | null;

  @text('What the platform may do with the account.')
  scope!: string | null;

  @choice(merchantAccountTypes, 'Type of the account.')
  accountType!: string | null;
}

@record(
  {
    table: 'merchant_link',
    one: 'merchantLink',
    many: 'merchantLinks',
    read: [platform],
    write: { by: [platform] },
    audited: ['moduleId', 'providerOne.isEnabled', 'providerTwo.isEnabled'],
  },
  'The accounts at payment providers to which money is paid.',
)
export class MerchantLink extends Kept {
  @id('Id of the link.')
  id!: string;

  @choice(moduleKinds, 'Kind of thing that is paid for.')
  moduleType!: string | null;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'merchantLinks' },
    'What is paid for: its id, or the tournament where it is one.',
  )
  moduleId!: string | null;

  @group(() => ProviderOneAccount, 'The account at the first payment provider.')
  providerOne!: ProviderOneAccount;

  @group(() => ProviderTwoAccount, 'The account at the second payment provider.')
  providerTwo!: ProviderTwoAccount;

  @reported()
  reported!: Reported;
}
