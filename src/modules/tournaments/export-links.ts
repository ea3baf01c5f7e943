import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { ownAddress } from '../../kernel/declare/own-address.js';
import { needs } from '../../kernel/declare/record.js';
import { Tournament } from './tournament.js';

const addressOf = (id: string, ending: string, context: Context): string =>
  `${ownAddress(context)}/tournaments/${encodeURIComponent(id)}.${ending}`;

/** Where a tournament is in the formats of others. */
@Resolver(() => Tournament)
export class ExportLinks {
  @needs('id')
  @FieldResolver(() => String, {
    description:
      'Address of the tournament as JSON of the Tournament Open Data Standards, with its events, people, entries and places; ask for it with the headers of this request.',
  })
  todsUrl(@Root() { id }: Pick<Tournament, 'id'>, @Ctx() context: Context): string {
    return addressOf(id, 'tods.json', context);
  }

  @needs('id')
  @FieldResolver(() => String, {
    description:
      'Address of its days and of the begin of its events as a calendar; apps that send no headers name a publishable key behind it, as `?key=pk_…`.',
  })
  calendarUrl(@Root() { id }: Pick<Tournament, 'id'>, @Ctx() context: Context): string {
    return addressOf(id, 'ics', context);
  }
}
