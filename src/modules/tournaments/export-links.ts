import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { readsColumns } from '../../kernel/declare/record.js';
import { publicUrlOf } from '../../kernel/declare/scalars/public-url.js';
import { Tournament } from './tournament.js';

const addressOf = (id: string, suffix: string, context: Context): string =>
  `${publicUrlOf(context)}/tournaments/${encodeURIComponent(id)}.${suffix}`;

/** URLs of a tournament in export formats. */
@Resolver(() => Tournament)
export class ExportLinks {
  @readsColumns('id')
  @FieldResolver(() => String, {
    description:
      'URL of the tournament as JSON of the Tournament Open Data Standards (TODS), with events, participants, entries and standings. Send the same headers as for this request.',
  })
  todsUrl(@Root() { id }: Pick<Tournament, 'id'>, @Ctx() context: Context): string {
    return addressOf(id, 'tods.json', context);
  }

  @readsColumns('id')
  @FieldResolver(() => String, {
    description:
      'URL of a calendar file (ICS) with the days of the tournament and the starts of its events. Calendar apps that cannot send headers append a publishable key, as in `?key=pk_…`.',
  })
  calendarUrl(@Root() { id }: Pick<Tournament, 'id'>, @Ctx() context: Context): string {
    return addressOf(id, 'ics', context);
  }
}
