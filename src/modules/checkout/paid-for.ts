import type { RecordClass } from '../../kernel/declare/meta.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { worded } from '../../kernel/declare/words.js';
import { related, subject } from '../../kernel/serve/relations.js';
import { unionOf } from '../../kernel/serve/subjects.js';
import { Club } from '../leagues/club.js';
import { League } from '../leagues/league.js';
import { Tournament } from '../tournaments/tournament.js';
import { DiscountCode } from './discount-code.js';
import { Invoice } from './invoice.js';
import { MerchantLink } from './merchant-link.js';
import { PaymentSetup } from './payment-setup.js';
import { ProviderRequest } from './provider-request.js';
import { SanctionSetup } from './sanction-setup.js';

/** What can be paid for; of clinics only the ids are known here. */
const modules = unionOf('Module', 'What can be paid for: a tournament, a league or a club.', {
  TOURNAMENT: Tournament,
  LEAGUE: League,
  CLUB: Club,
});

const description =
  'What it is for, among the kinds of `moduleType`; among all of them where that is unset or OTHER. Null where no record has that id, and for clinics, of which only the id is known.';

const records = [DiscountCode, Invoice, MerchantLink, PaymentSetup, ProviderRequest, SanctionSetup];

const listedBy = (on: RecordClass, cls: RecordClass) => {
  const { many } = optionsOf(cls);
  return related(on, many, cls, [{ at: 'module_id' }], `The ${worded(many)} that are for it.`);
};

/** A club has lists of its own of what names it as the one that is paid. */
const isOfClub = (cls: RecordClass) => cls === Invoice || cls === PaymentSetup;

/** What checkouts and their setup are for, and what each has of them. Tournaments have theirs by the foreign key itself. */
export const paidFor = records.flatMap((cls) => [
  subject(cls, 'module', { id: 'moduleId', kind: 'moduleType' }, modules, description, { isFilterable: true }),
  listedBy(League, cls),
  ...(isOfClub(cls) ? [] : [listedBy(Club, cls)]),
]);
