import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { nameReferenceResolver } from '../../../kernel/serve/relations.js';
import { AuditEntry } from '../../accounts/audit/audit-entry.js';
import { Currency, currencyReference } from '../../reference/records/locations.js';
import { Tournament } from '../../tournaments/tournament.js';
import { hasAuditedAmounts, readAuditedCurrencies } from './audited-currencies-sql.js';

const currencyField = metaOf(Tournament).fields.get('currency');
const currencyOf = currencyField && nameReferenceResolver(Tournament, currencyField, currencyReference);

/** Field `AuditEntry.currency`: the currency of the amounts in `changes`. */
@Resolver(() => AuditEntry)
export class AuditedCurrency {
  @readsColumns('id', 'recordType')
  @FieldResolver(() => Currency, {
    nullable: true,
    description:
      "Currency of the amounts in `changes`, even if the record was deleted. It is the currency of the invoice item, of the payment's invoice, or of the discount code's tournament. Null for other records, or if the currency is unknown.",
  })
  async currency(
    @Root() { id, recordType }: Pick<AuditEntry, 'id' | 'recordType'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Currency> | null> {
    if (!hasAuditedAmounts(recordType)) return null;
    const { loaders, sql } = context;
    const code = await loaders.batchLoader('currencies of audit entries', (ids) => readAuditedCurrencies(sql, ids))(id);
    return (await currencyOf?.({ currency: code }, {}, context, info)) as RowOf<Currency> | null;
  }
}
