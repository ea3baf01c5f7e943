import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, visitor } from '../../kernel/declare/policy/policy.js';
import { readsColumns } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row.js';
import { selectedColumns } from '../../kernel/read/select.js';
import { findLeague, findListing } from './find-listing.js';
import { League } from './league.js';
import { LeagueListing } from './league-listing.js';

@Resolver(() => League)
export class LeagueResolver {
  @allow(visitor)
  @Query(() => League, { nullable: true, description: 'League with a slug. Null if not found.' })
  leagueBySlug(
    @Arg('slug', () => String, { description: 'Slug of the league.' }) slug: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<League> | null> {
    return context.loaders.loadRow(League, selectedColumns(League, info), slug, 'slug');
  }

  @readsColumns('id')
  @FieldResolver(() => LeagueListing, {
    nullable: true,
    description:
      'Listing of the league with the contact persons: the one with the same ID, or else the oldest one with the same title.',
  })
  async listing(
    @Root() { id }: Pick<League, 'id'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<LeagueListing> | null> {
    const key = await findListing(context, id);
    return key === null ? null : context.loaders.loadRow(LeagueListing, selectedColumns(LeagueListing, info), key);
  }
}

@Resolver(() => LeagueListing)
export class LeagueListingResolver {
  @readsColumns('id')
  @FieldResolver(() => League, {
    nullable: true,
    description: 'League of the listing: the one with the same ID, or else the oldest one with the same title.',
  })
  async league(
    @Root() { id }: Pick<LeagueListing, 'id'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<League> | null> {
    const key = await findLeague(context, id);
    return key === null ? null : context.loaders.loadRow(League, selectedColumns(League, info), key);
  }
}
