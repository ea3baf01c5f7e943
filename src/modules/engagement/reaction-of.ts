import type { Context } from '../../kernel/context.js';
import { selectionOf } from '../../kernel/list.js';
import { metaOf } from '../../kernel/meta.js';
import type { Row } from '../../kernel/sql.js';
import { Reaction } from './reaction.js';

/** A user's reaction to a news item; those to a whole list of items are read in one statement. */
export const reactionOf = (
  { loaders, sql }: Context,
  userId: string,
  newsItemId: string,
  columns: readonly string[],
): Promise<Row | null> =>
  loaders.batch<Row | null>(`reactions of ${userId} ${columns.join()}`, async (items) => {
    const rows = await sql.rows(
      `select r.news_item_id as "$item", ${selectionOf(metaOf(Reaction), columns)} from reaction r where r.user_id = $1 and r.news_item_id = any($2)`,
      [userId, items],
    );
    const found = new Map(rows.map((row) => [row.$item, row]));
    return items.map((item) => found.get(item) ?? null);
  })(newsItemId);
