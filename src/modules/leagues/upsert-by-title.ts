import type { Context } from '../../kernel/declare/context.js';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { inNfc } from '../../kernel/declare/nfc.js';
import type { Values } from '../../kernel/declare/options.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import type { Session } from '../../kernel/session.js';
import { create, update, upsert } from '../../kernel/write/save.js';
import { Club } from './club.js';
import { LeagueListing } from './league-listing.js';
import { lockTitles } from './title-lock-sql.js';

/** What is known by its title, by the table. */
interface Titled {
  club: Club;
  league_listing: LeagueListing;
}

const titled: { readonly [N in keyof Titled]: RecordClass<Titled[N]> } = { club: Club, league_listing: LeagueListing };

/** The oldest row with a title. */
const titledSo = (sql: Session, table: keyof Titled, title: string) =>
  sql.first(
    sql.db
      .selectFrom(table)
      .select('id')
      .where(({ eb, fn }) => eb(fn<string>('nfc', ['title']), '=', inNfc(title)))
      .orderBy('created_at')
      .orderBy('id')
      .limit(1),
  );

/** Creates or changes the record with the id given, or else the one with the same title, to the letter in NFC (decision 30). */
export const upsertByTitle = <N extends keyof Titled>(
  context: Context,
  table: N,
  input: Values,
  returning: readonly string[],
): Promise<RowOf<Titled[N]>> =>
  context.sql.transaction(async () => {
    const cls: RecordClass<Titled[N]> = titled[table];
    // One at a time: no unique key could do, because platforms that send ids may use one title twice.
    await lockTitles(context.sql, table);
    if (input.id) return upsert(context, cls, input, returning);
    const { title } = input;
    const known = typeof title === 'string' && title ? await titledSo(context.sql, table, title) : null;
    return known ? update(context, cls, known.id, input, returning) : create(context, cls, input, returning);
  });
