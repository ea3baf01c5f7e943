import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/options.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { inputOf } from '../../kernel/write/input.js';
import { Club } from './club.js';
import { LeagueListing } from './league-listing.js';
import { upsertByTitle } from './upsert-by-title.js';

@Resolver()
export class SearchRecordResolver {
  @writes(Club)
  @Mutation(() => Club, {
    description: 'Creates a club, or changes the fields given of the one with the same id, or without an id the same title.',
  })
  upsertClub(
    @Arg('input', () => inputOf(Club), { description: 'Its values.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Club>> {
    return upsertByTitle(context, 'club', input, columnsWanted(Club, info));
  }

  @writes(LeagueListing)
  @Mutation(() => LeagueListing, {
    description:
      'Creates the listing of a league, or changes the fields given of the one with the same id, or without an id the same title.',
  })
  upsertLeagueListing(
    @Arg('input', () => inputOf(LeagueListing), { description: 'Its values.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<LeagueListing>> {
    return upsertByTitle(context, 'league_listing', input, columnsWanted(LeagueListing, info));
  }
}
