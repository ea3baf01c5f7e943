import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/fields/options.js';
import { allowWriters } from '../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../kernel/declare/row.js';
import { selectedColumns } from '../../kernel/read/select.js';
import { inputOf } from '../../kernel/write/input.js';
import { Club } from './club.js';
import { LeagueListing } from './league-listing.js';
import { upsertByTitle } from './upsert-by-title.js';

@Resolver()
export class SearchRecordResolver {
  @allowWriters(Club)
  @Mutation(() => Club, {
    description:
      'Creates a club, or updates the provided fields of the club with the same ID or, without an ID, with the same title.',
  })
  upsertClub(
    @Arg('input', () => inputOf(Club), { description: 'Values of the club.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Club>> {
    return upsertByTitle(context, 'club', input, selectedColumns(Club, info));
  }

  @allowWriters(LeagueListing)
  @Mutation(() => LeagueListing, {
    description:
      'Creates the listing of a league, or updates the provided fields of the listing with the same ID or, without an ID, with the same title.',
  })
  upsertLeagueListing(
    @Arg('input', () => inputOf(LeagueListing), { description: 'Values of the listing.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<LeagueListing>> {
    return upsertByTitle(context, 'league_listing', input, selectedColumns(LeagueListing, info));
  }
}
