import { choice } from '../../kernel/declare/choices.js';
import { flag, id, instant, money, ref, text } from '../../kernel/declare/fields.js';
import { doneBy, Kept, type Reported, reported } from '../../kernel/declare/kept.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { wholeInText } from '../../kernel/declare/shown-fields.js';
import { Tournament } from '../tournaments/tournament.js';
import { discountTypes, moduleKinds } from './choices.js';
import { codesOnOwnInvoices } from './visible-codes-sql.js';

@record(
  {
    table: 'discount_code',
    one: 'discountCode',
    many: 'discountCodes',
    read: [platform, user],
    readList: [platform],
    readRelated: [platform],
    visible: codesOnOwnInvoices,
    write: { by: [platform] },
    audited: ['moduleId', 'coversEverything', 'discount', 'issued', 'startsAt', 'expiresAt', 'disabledAt'],
    indexes: { code: '(nfc(code), id)', code_folded: '(folded(nfc(code)), id)' },
  },
  'A code that makes a checkout cheaper. Platforms see all codes, users those on their own invoices.',
)
export class DiscountCode extends Kept {
  @id('Id of the discount code.')
  id!: string;

  @choice(moduleKinds, 'Kind of thing it is for.')
  moduleType!: string | null;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'discountCodes', filterable: ['many'] },
    'What it is for: its id, or the tournament where it is one.',
  )
  moduleId!: string | null;

  @choice(discountTypes, 'How it makes a checkout cheaper.')
  type!: number | null;

  @text('Title.')
  title!: string | null;

  @text(
    'What one types to get the discount, in any case of letters; of codes that differ in that alone, the one that is typed.',
    {
      max: 255,
    },
  )
  code!: string | null;

  @flag('The code comes from an outside source.')
  isFromOutside!: boolean;

  @flag('It makes everything free.')
  coversEverything!: boolean;

  @money('What it takes off, in the currency of the checkout.')
  discount!: string | null;

  @wholeInText('How many were issued.')
  issued!: string | null;

  @instant('From when on it can be used.')
  startsAt!: string | null;

  @instant('Until when it can be used.')
  expiresAt!: string | null;

  @flag('It can be used on registrations.')
  appliesToRegistration!: boolean;

  @flag('It can be used on merchandise.')
  appliesToMerchandise!: boolean;

  @flag('It can be used on what spectators pay.')
  appliesToSpectators!: boolean;

  @reported()
  reported!: Reported;

  @instant('When it was disabled: out of use until this is cleared; null while it is not.')
  disabledAt!: string | null;

  @text('Name of the person who disabled it, as it was sent; `disabler` is the user, where the service knows one.')
  disabledBy!: string | null;

  @doneBy('disabler', 'The user who set `disabledAt`; null where a platform alone did, and where that was not kept yet.', {
    doneAt: 'disabledAt',
  })
  disabledById!: string | null;
}
