import { flag, group, id, ref, text } from '../../../kernel/declare/fields/fields.js';
import { permission, platform } from '../../../kernel/declare/policy/policy.js';
import { record, value } from '../../../kernel/declare/record.js';
import { choice } from '../../../kernel/declare/scalars/choices.js';
import { type Reported, reportedHistory, TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { Tournament } from '../../tournaments/tournament.js';
import { moduleKinds } from '../choices.js';
import { merchantAccountTypes } from './payment-choices.js';

@value("A merchant's account at the first payment provider.")
export class ProviderOneAccount {
  @flag('Whether the account is active.')
  isEnabled!: boolean;

  @text('Email address or merchant ID.')
  account!: string | null;

  @text('Second email address or merchant ID.')
  secondAccount!: string | null;
}

@value("A merchant's account at the second payment provider.")
export class ProviderTwoAccount {
  @flag('Whether the account is active.')
  isEnabled!: boolean;

  @text('ID of the merchant at the payment provider. Not an ID in this graph.')
  merchantId!: string | null;

  @text('Email address.')
  email!: string | null;

  @text('Permissions that the platform has for the account.')
  scope!: string | null;

  @choice(merchantAccountTypes, 'Type of the account.')
  accountType!: string | null;
}

@record(
  {
    table: 'merchant_link',
    one: 'merchantLink',
    many: 'merchantLinks',
    read: [platform, permission('ADMIN')],
    write: { policies: [platform] },
    audited: ['moduleId', 'providerOne.isEnabled', 'providerTwo.isEnabled'],
  },
  'Accounts of a merchant at payment providers, which receive payments.',
)
export class MerchantLink extends TrackedRecord {
  @id('ID of the link.')
  id!: string;

  @choice(moduleKinds, 'Type of the record that the payments are for.')
  moduleType!: string | null;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'merchantLinks' },
    'Record that the payments are for. The field `tournament` is null if the record is not a tournament. The field `module` returns records of any type.',
  )
  moduleId!: string | null;

  @group(() => ProviderOneAccount, 'Account at the first payment provider.')
  providerOne!: ProviderOneAccount;

  @group(() => ProviderTwoAccount, 'Account at the second payment provider.')
  providerTwo!: ProviderTwoAccount;

  @reportedHistory()
  reported!: Reported;
}
