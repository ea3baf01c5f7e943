import type { RecordClass } from '../../../kernel/declare/meta.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import { toWords } from '../../../kernel/declare/scalars/words.js';
import { polymorphicRelation, relatedRecords } from '../../../kernel/serve/relations.js';
import { unionOf } from '../../../kernel/serve/subjects.js';
import { Club } from '../../leagues/club.js';
import { League } from '../../leagues/league.js';
import { Tournament } from '../../tournaments/tournament.js';
import { DiscountCode } from '../discounts/discount-code.js';
import { Invoice } from '../invoices/invoice.js';
import { MerchantLink } from '../payments/merchant-link.js';
import { ProviderRequest } from '../payments/provider-request.js';
import { PaymentSetup } from './payment-setup.js';
import { SanctionSetup } from './sanction-setup.js';

/** Records that can be paid for. Clinics are not in this graph. */
const modules = unionOf('Module', 'A record that can be paid for: a tournament, a league or a club.', {
  TOURNAMENT: Tournament,
  LEAGUE: League,
  CLUB: Club,
});

const description =
  'Record with the ID `moduleId`, of the type `moduleType`, or of any type if that is null or OTHER. Null if there is none, and for clinics, which are not in this graph.';

const records = [DiscountCode, Invoice, MerchantLink, PaymentSetup, ProviderRequest, SanctionSetup];

const listedBy = (owner: RecordClass, cls: RecordClass) => {
  const { many } = optionsOf(cls);
  return relatedRecords(owner, many, cls, [{ column: 'module_id' }], `The ${toWords(many)} for it.`);
};

/** Records for which clubs already have a relation: those that name the club as payee. */
const isOfClub = (cls: RecordClass) => cls === Invoice || cls === PaymentSetup;

/** Relations between checkout records and the records that they are for. Tournaments have theirs by foreign keys. */
export const moduleRelations = records.flatMap((cls) => [
  polymorphicRelation(cls, 'module', { id: 'moduleId', kind: 'moduleType' }, modules, description, { isFilterable: true }),
  listedBy(League, cls),
  ...(isOfClub(cls) ? [] : [listedBy(Club, cls)]),
]);
