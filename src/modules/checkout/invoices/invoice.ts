import { integerInNumber } from '../../../kernel/declare/fields/converted-fields.js';
import { id, instant, money, ref, text } from '../../../kernel/declare/fields/fields.js';
import { permission, platform, user } from '../../../kernel/declare/policy/policy.js';
import { record, value } from '../../../kernel/declare/record.js';
import { choice } from '../../../kernel/declare/scalars/choices.js';
import { type Reported, reportedHistory, TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { User } from '../../accounts/users/user.js';
import { Club } from '../../leagues/club.js';
import { currencyReference } from '../../reference/records/locations.js';
import { Registration } from '../../tournaments/entries/registration.js';
import { Tournament } from '../../tournaments/tournament.js';
import { moduleKinds } from '../choices.js';

@value('Amounts of an invoice in one currency.')
export class InvoiceAmount {
  @text('Currency in upper case, such as `USD`. Null for items without a currency.', { nameReference: currencyReference })
  currency!: string | null;

  @money(
    'Exact total: `unitPrice` times `units` of each item that is not withdrawn, plus the amount that the tournament keeps for withdrawn items.',
    { required: true },
  )
  total!: string;

  @money(
    'Exact sum of the payments minus the refunds. Reversed payments do not count. Null if the invoice has several currencies, because payments have no currency.',
  )
  paid!: string | null;

  @money(
    'Amount still to be paid: `total` minus `paid`, plus `refundRequested`. Zero after a full withdrawal, even after a partial payment. Null if `paid` is null.',
  )
  balance!: string | null;

  @money(
    'Exact amount that the platform has to refund after a withdrawal: the payment for withdrawn items, minus the amount that the tournament keeps. Null if `paid` is null.',
  )
  refundRequested!: string | null;
}

@record(
  {
    table: 'invoice',
    changeLogColumns: ['userId'],
    one: 'invoice',
    many: 'invoices',
    read: [platform, user],
    write: { policies: [platform] },
    audited: ['userId', 'moduleId', 'clubId', 'registrationId'],
    ownerField: 'userId',
    readAll: [platform, permission('ADMIN')],
  },
  'Invoice. `items` contains its lines, and `payments` contains the received payments. Users see their own invoices. Platforms and users with the role ADMIN see all.',
)
export class Invoice extends TrackedRecord {
  @id('ID of the invoice.')
  id!: string;

  @text('Invoice number for display. Each platform defines its own numbers.')
  number!: string | null;

  @choice(moduleKinds, 'Type of the record that the invoice is for.')
  moduleType!: string | null;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'invoices' },
    'Record that the invoice is for. The field `tournament` is null if the record is not a tournament. The field `module` returns records of any type.',
  )
  moduleId!: string | null;

  @ref(() => Club, { one: 'club', many: 'invoices' }, 'Club that receives the payment.')
  clubId!: string | null;

  @ref(() => User, { one: 'user', many: 'invoices', filterable: ['one', 'many'] }, 'User who pays.')
  userId!: string | null;

  @ref(
    () => Registration,
    { one: 'registration', many: 'invoices', filterable: ['one', 'many'] },
    'Registration that the invoice charges for.',
  )
  registrationId!: string | null;

  @reportedHistory()
  reported!: Reported;

  @instant(
    'When items of the invoice were last withdrawn. Payments that exceed the `total` of such an invoice are refunded. Null if no item is withdrawn. Set by the server.',
    { readOnly: true },
  )
  withdrawnAt!: string | null;

  @integerInNumber('Number of the plan for additional merchant fees. Each platform defines its own numbers.')
  feePlan!: number | null;
}
