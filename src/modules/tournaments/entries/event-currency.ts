import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { fieldOnGeneratedType } from '../../../kernel/declare/fields/generated.js';
import { addLegacyField } from '../../../kernel/declare/fields/legacy-fields.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { nameReferenceResolver } from '../../../kernel/serve/relations.js';
import { Currency, currencyReference } from '../../reference/records/locations.js';
import { Tournament } from '../tournament.js';
import { TournamentEvent } from '../tournament-event.js';

const currencyField = metaOf(Tournament).fields.get('currency');
/** Type of the field `legacy` of events. It has only the field `currency`. */
const EventLegacy = addLegacyField(TournamentEvent);

const currencyOf = currencyField && nameReferenceResolver(Tournament, currencyField, currencyReference);

const tournamentOf = ({ loaders }: Context, { tournamentId }: Pick<TournamentEvent, 'tournamentId'>) =>
  tournamentId ? loaders.loadRow(Tournament, ['id', 'currency'], tournamentId) : null;

/** Field `TournamentEvent.currency`: the currency of the fee. It is the currency of the tournament. */
@Resolver(() => TournamentEvent)
export class EventCurrency {
  @readsColumns('tournamentId')
  @FieldResolver(() => Currency, {
    nullable: true,
    description:
      'Currency of `fee`, which is the currency of the tournament. Null if the tournament has no currency code or an unknown one.',
  })
  async currency(
    @Root() event: Pick<TournamentEvent, 'tournamentId'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Currency> | null> {
    const tournament = await tournamentOf(context, event);
    return tournament ? ((await currencyOf?.(tournament, {}, context, info)) as RowOf<Currency> | null) : null;
  }
}

/** Field `legacy.currency` of events: the currency code as stored in the tournament. */
export const legacyEventCurrency = fieldOnGeneratedType<Pick<TournamentEvent, 'tournamentId'>>({
  on: EventLegacy,
  name: 'currency',
  type: () => String,
  isNullable: true,
  description: 'Currency code of `fee` (ISO 4217), as stored in the tournament.',
  extensions: { readsColumns: ['tournamentId'] },
  resolve: async (event, context) => (await tournamentOf(context, event))?.currency ?? null,
});
