import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { money, text } from '../../../kernel/declare/fields/fields.js';
import { allow, platform, user } from '../../../kernel/declare/policy/policy.js';
import { readsColumns, value } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { currencyReference } from '../../reference/records/locations.js';
import { EventRegistration } from '../../tournaments/entries/event-registration.js';
import { Registration } from '../../tournaments/entries/registration.js';
import { Invoice } from '../invoices/invoice.js';
import { readRefunds } from './refunds-sql.js';

@value(
  'Refund for one invoice, to a player who withdrew after a payment. The platform pays the amount back and records a payment with `isRefund`, which completes the refund.',
)
export class Refund {
  invoiceId!: string;

  @money('Exact amount: the payments for all items of the withdrawal, minus the fees that the tournament keeps.', {
    required: true,
  })
  amount!: string;

  @text('Currency of the invoice, such as `USD`. Null if the invoice has no currency.', { nameReference: currencyReference })
  currency!: string | null;
}

const description =
  'Refunds after a withdrawal, one per invoice, as returned by `withdraw`: the paid amount minus the fees that the tournament keeps. Empty if nothing was paid. Visible to the player and platforms. Empty for other callers.';

const refundsOf = (target: 'entry' | 'registration', { caller, loaders, sql }: Context, id: string): Promise<Refund[]> =>
  loaders.batchLoader(`refunds of ${target}`, (ids) => readRefunds(sql, target, ids, caller))(id);

@Resolver(() => EventRegistration)
export class EntryRefunds {
  @readsColumns('id')
  @FieldResolver(() => [Refund], { nullable: true, description })
  refunds(@Root() { id }: Pick<EventRegistration, 'id'>, @Ctx() context: Context): Promise<Refund[]> {
    return refundsOf('entry', context, id);
  }
}

@Resolver(() => Registration)
export class RegistrationRefunds {
  @readsColumns('id')
  @FieldResolver(() => [Refund], { nullable: true, description: description.replace('`withdraw`', '`withdrawRegistration`') })
  refunds(@Root() { id }: Pick<Registration, 'id'>, @Ctx() context: Context): Promise<Refund[]> {
    return refundsOf('registration', context, id);
  }
}

@Resolver(() => Refund)
export class RefundResolver {
  @allow(platform, user)
  @FieldResolver(() => Invoice, { nullable: true, description: 'Invoice that was paid.' })
  invoice(
    @Root() { invoiceId }: Refund,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Invoice> | null> {
    return loaders.loadRow(Invoice, selectedColumns(Invoice, info), invoiceId);
  }
}
