import type { RecordClass } from '../../../kernel/declare/meta.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import { describeList } from '../../../kernel/declare/scalars/words.js';
import { unionOf } from '../../../kernel/serve/nodes.js';
import { polymorphicRelation, relatedRecords } from '../../../kernel/serve/relations.js';
import { Club } from '../../leagues/club.js';
import { League } from '../../leagues/league.js';
import { Tournament } from '../../tournaments/tournament.js';
import { DiscountCode } from '../discounts/discount-code.js';
import { Invoice } from '../invoices/invoice.js';
import { MerchantLink } from '../payments/merchant-link.js';
import { ProviderRequest } from '../payments/provider-request.js';
import { PaymentSetup } from './payment-setup.js';
import { SanctionSetup } from './sanction-setup.js';

/** Records that can be paid for. The graph does not expose clinics. */
const modules = unionOf('Module', 'Record that can be paid for: a tournament, league or club.', {
  TOURNAMENT: Tournament,
  LEAGUE: League,
  CLUB: Club,
});

const description =
  'Record that can be paid for, identified by `moduleId` and `moduleType`. If `moduleType` is null or OTHER, the record can have any type. Null if the record is not found or is a clinic. This API does not expose clinics.';

const records = [DiscountCode, Invoice, MerchantLink, PaymentSetup, ProviderRequest, SanctionSetup];

const relationFrom = (owner: RecordClass, cls: RecordClass) => {
  const { many } = optionsOf(cls);
  const { one } = optionsOf(owner);
  return relatedRecords(owner, many, cls, [{ column: 'module_id' }], describeList(many, one));
};

/** Whether clubs already have a relation to these records, because clubs can be their payee. */
const hasClubRelation = (cls: RecordClass) => cls === Invoice || cls === PaymentSetup;

/**
 * Relations between checkout records and the records that payments are for. Lists on tournaments are missing here, because foreign keys
 * already declare them.
 */
export const moduleRelations = records.flatMap((cls) => [
  polymorphicRelation(cls, 'module', { id: 'moduleId', kind: 'moduleType' }, modules, description, { isFilterable: true }),
  relationFrom(League, cls),
  ...(hasClubRelation(cls) ? [] : [relationFrom(Club, cls)]),
]);
