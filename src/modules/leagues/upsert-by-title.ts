import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/fields/options.js';
import type { RecordClass } from '../../kernel/declare/meta.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { toNfc } from '../../kernel/declare/scalars/nfc.js';
import type { Session } from '../../kernel/session.js';
import { create, update, upsert } from '../../kernel/write/save.js';
import { Club } from './club.js';
import { LeagueListing } from './league-listing.js';
import { lockTitles } from './title-lock-sql.js';

/** Records that are identified by title, by table. */
interface Titled {
  club: Club;
  league_listing: LeagueListing;
}

const titledRecords: { readonly [N in keyof Titled]: RecordClass<Titled[N]> } = { club: Club, league_listing: LeagueListing };

/** Oldest row with a title. */
const findByTitle = (sql: Session, table: keyof Titled, title: string) =>
  sql.first(
    sql.db
      .selectFrom(table)
      .select('id')
      .where(({ eb, fn }) => eb(fn<string>('nfc', ['title']), '=', toNfc(title)))
      .orderBy('created_at')
      .orderBy('id')
      .limit(1),
  );

/** Creates or updates the record with the ID of the input or, without an ID, the one with exactly the same title in NFC (decision 30). */
export const upsertByTitle = <N extends keyof Titled>(
  context: Context,
  table: N,
  input: Values,
  returning: readonly string[],
): Promise<RowOf<Titled[N]>> =>
  context.sql.transaction(async () => {
    const cls: RecordClass<Titled[N]> = titledRecords[table];
    // Titles are not unique, because platforms that send IDs may use a title twice. So concurrent upserts need a lock.
    await lockTitles(context.sql, table);
    if (input.id) return upsert(context, cls, input, returning);
    const { title } = input;
    const existing = typeof title === 'string' && title ? await findByTitle(context.sql, table, title) : null;
    return existing ? update(context, cls, existing.id, input, returning) : create(context, cls, input, returning);
  });
