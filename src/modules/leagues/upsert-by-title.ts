import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/fields/options.js';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { allowWriters } from '../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../kernel/declare/row.js';
import { toNfc } from '../../kernel/declare/scalars/text.js';
import { selectedColumns } from '../../kernel/read/select.js';
import type { Session } from '../../kernel/session.js';
import { inputOf } from '../../kernel/write/input.js';
import { create, update, upsert } from '../../kernel/write/save.js';
import { Club } from './club.js';
import { LeagueListing } from './league-listing.js';
import { lockTitles } from './title-lock-sql.js';

/** Records that can be found by title, keyed by table. */
interface TitledRecords {
  club: Club;
  league_listing: LeagueListing;
}

const titledRecords: { readonly [N in keyof TitledRecords]: RecordClass<TitledRecords[N]> } = {
  club: Club,
  league_listing: LeagueListing,
};

/** Finds the oldest row with the given title. */
const findByTitle = (sql: Session, table: keyof TitledRecords, title: string) =>
  sql.first(
    sql.db
      .selectFrom(table)
      .select('id')
      .where(({ eb, fn }) => eb(fn<string>('nfc', ['title']), '=', toNfc(title)))
      .orderBy('created_at')
      .orderBy('id')
      .limit(1),
  );

/**
 * Creates a record, or updates the record with the same ID. If the input has no ID, updates the record that has the same title after
 * Unicode normalization to NFC (decision 30).
 */
const upsertByTitle = <N extends keyof TitledRecords>(
  context: Context,
  table: N,
  input: Values,
  returning: readonly string[],
): Promise<RowOf<TitledRecords[N]>> =>
  context.sql.transaction(async () => {
    const cls: RecordClass<TitledRecords[N]> = titledRecords[table];
    // Titles have no unique index, because platforms that send IDs may use a title twice. Concurrent upserts therefore need a lock.
    await lockTitles(context.sql, table);
    if (input.id) return upsert(context, cls, input, returning);
    const { title } = input;
    const existingRow = typeof title === 'string' && title ? await findByTitle(context.sql, table, title) : null;
    return existingRow ? update(context, cls, existingRow.id, input, returning) : create(context, cls, input, returning);
  });

@Resolver()
export class SearchRecordResolver {
  @allowWriters(Club)
  @Mutation(() => Club, {
    description:
      'Creates a club, or updates the provided fields of the club with the same ID. If the input has no ID, the title identifies the club.',
  })
  upsertClub(
    @Arg('input', () => inputOf(Club), { description: 'Fields to set on the club.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Club>> {
    return upsertByTitle(context, 'club', input, selectedColumns(Club, info));
  }

  @allowWriters(LeagueListing)
  @Mutation(() => LeagueListing, {
    description:
      'Creates the listing of a league, or updates the provided fields of the listing with the same ID. If the input has no ID, the title identifies the listing.',
  })
  upsertLeagueListing(
    @Arg('input', () => inputOf(LeagueListing), { description: 'Fields to set on the listing.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<LeagueListing>> {
    return upsertByTitle(context, 'league_listing', input, selectedColumns(LeagueListing, info));
  }
}
