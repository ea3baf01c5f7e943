import type { GraphQLResolveInfo } from 'graphql';
import { sql as raw, type SqlBool } from 'kysely';
import { Arg, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, visitor } from '../../kernel/declare/policy/policy.js';
import { readsColumns } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row.js';
import { selectedColumns } from '../../kernel/read/select.js';
import type { Db } from '../../kernel/session.js';
import { League } from './league.js';
import { LeagueListing } from './league-listing.js';

type RecordName = 'league' | 'listing';

/**
 * For each ID in `ids`, selects the matching listing or league. This is the record with the same ID or, if none exists, the oldest record
 * with the same title.
 */
const selectPairs = (db: Db, from: RecordName, to: RecordName, ids: readonly string[]) =>
  db
    .selectFrom('league')
    .innerJoin('league_listing as listing', (join) =>
      join.on(({ eb, fn, ref }) =>
        eb.or([
          eb('league.id', '=', ref('listing.id')),
          eb(fn<string>('nfc', ['league.title']), '=', fn<string>('nfc', ['listing.title'])),
        ]),
      ),
    )
    .distinctOn(`${from}.id`)
    .select([`${from}.id as key`, `${to}.id as other`])
    .where(({ ref }) => raw<SqlBool>`${ref(`${from}.id`)} = any(${ids})`)
    .orderBy(`${from}.id`)
    .orderBy(({ eb, ref }) => eb('league.id', '=', ref('listing.id')), 'desc')
    .orderBy(`${to}.created_at`)
    .orderBy(`${to}.id`);

/**
 * Finds the ID of the league that belongs to a listing, or of the listing that belongs to a league. Looks up all records of a list with one
 * statement.
 */
function findCounterpart({ loaders, sql }: Context, from: RecordName, to: RecordName, id: string): Promise<string | null> {
  return loaders.batchLoader(`${to} of ${from}`, async (ids) => {
    const rows = await sql.run(selectPairs(sql.db, from, to, ids));
    const otherIds = new Map(rows.map(({ key, other }) => [key, other]));
    return ids.map((key) => otherIds.get(key) ?? null);
  })(id);
}

/** Finds the ID of a league's listing. There is no foreign key, because platforms send the same ID for both, or only the same title. */
const findListing = (context: Context, leagueId: string): Promise<string | null> =>
  findCounterpart(context, 'league', 'listing', leagueId);

/** Finds the ID of the league that belongs to a listing. */
const findLeague = (context: Context, listingId: string): Promise<string | null> =>
  findCounterpart(context, 'listing', 'league', listingId);

@Resolver(() => League)
export class LeagueResolver {
  @allow(visitor)
  @Query(() => League, { nullable: true, description: 'League with the given slug. Null if not found.' })
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
      'Listing of the league, with the contact persons. It is the listing with the same ID, or else the oldest listing with the same title.',
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
    description: 'League of the listing. It is the league with the same ID, or else the oldest league with the same title.',
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
