import { integerInText } from '../../../kernel/declare/fields/converted-fields.js';
import { flag, id, instant, money, ref, text } from '../../../kernel/declare/fields/fields.js';
import { permission, platform, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { choice } from '../../../kernel/declare/scalars/choices.js';
import { actionUser, type Reported, reportedHistory, TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { Tournament } from '../../tournaments/tournament.js';
import { discountTypes, moduleKinds } from '../choices.js';
import { codesOnOwnInvoices } from './visible-codes-sql.js';

@record(
  {
    table: 'discount_code',
    one: 'discountCode',
    many: 'discountCodes',
    read: [platform, user],
    readList: [platform, permission('ADMIN')],
    readRelated: [platform, permission('ADMIN')],
    visibleCondition: codesOnOwnInvoices,
    write: { policies: [platform] },
    audited: ['moduleId', 'coversEverything', 'discount', 'issued', 'startsAt', 'expiresAt', 'disabledAt'],
    indexes: { code: '(nfc(code), id)', code_unaccent_lower: '(unaccent_lower(nfc(code)), id)' },
  },
  'Discount code. Platforms and users with the role ADMIN see all codes. Users see the codes on their own invoices.',
)
export class DiscountCode extends TrackedRecord {
  @id('ID of the discount code.')
  id!: string;

  @choice(moduleKinds, 'Type of the record that the code applies to.')
  moduleType!: string | null;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'discountCodes', filterable: ['many'] },
    'Record that the code applies to. The field `tournament` is null if the record is not a tournament. The field `module` returns records of any type.',
  )
  moduleId!: string | null;

  @choice(discountTypes, 'Whether the discount is an amount or makes everything free.')
  type!: number | null;

  @text('Title.')
  title!: string | null;

  @text('Text of the code. Case-insensitive, unless several codes differ only in case.', {
    max: 255,
  })
  code!: string | null;

  @flag('Whether another system created the code.')
  isFromOutside!: boolean;

  @flag('Whether the code makes all items of the checkout free. If true, `discount` is ignored.')
  coversEverything!: boolean;

  @money('Amount of the discount, in the currency of the checkout.')
  discount!: string | null;

  @integerInText('Maximum number of uses.')
  issued!: string | null;

  @instant('Start of the validity period.')
  startsAt!: string | null;

  @instant('End of the validity period.')
  expiresAt!: string | null;

  @flag('Whether the code applies to registrations.')
  appliesToRegistration!: boolean;

  @flag('Whether the code applies to merchandise.')
  appliesToMerchandise!: boolean;

  @flag('Whether the code applies to spectator items.')
  appliesToSpectators!: boolean;

  @reportedHistory()
  reported!: Reported;

  @instant('When the code was disabled. Set to null to enable the code again.')
  disabledAt!: string | null;

  @text('Name of the person who disabled the code, as sent by the client. For the user, see `disabler`.')
  disabledBy!: string | null;

  @actionUser('disabler', 'User who set `disabledAt`. Null if the user is unknown, or if it was not set by a user.', {
    instantField: 'disabledAt',
  })
  disabledById!: string | null;
}
