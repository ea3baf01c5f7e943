import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../kernel/context.js';
import type { Row } from '../../kernel/sql.js';
import { Reaction } from './reaction.js';
import { selected } from './selected.js';

/** A user's reaction to a news item; those to a whole list of items are read in one statement. */
export const reactionOf = (
  { loaders, sql }: Context,
  userId: string,
  newsItemId: string,
  columns: readonly string[],
): Promise<Row | null> =>
  loaders.batch<Row | null>(`reactions of ${userId} ${columns.join()}`, async (items) => {
    const rows = await sql.run(
      sql.db
        .selectFrom('reaction')
        .select('news_item_id as $item')
        .select(selected(Reaction, columns))
        .where('user_id', '=', userId)
        .where(raw<SqlBool>`news_item_id = any(${items})`),
    );
    const found = new Map(rows.map((row) => [row.$item, row]));
    return items.map((item) => found.get(item) ?? null);
  })(newsItemId);
