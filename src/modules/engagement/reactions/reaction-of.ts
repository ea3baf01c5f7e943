import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { selectionFor } from '../../../kernel/read/selection.js';
import { Reaction } from './reaction.js';

/** Reaction of a user to a news item. Reads the reactions to all items in a list with one statement. */
export const reactionOf = (
  { loaders, sql }: Context,
  userId: string,
  newsItemId: string,
  columns: readonly string[],
): Promise<RowOf<Reaction> | null> => {
  const loadReactions = async (items: string[]) => {
    const rows = await sql.run(
      sql.db
        .selectFrom('reaction as r')
        .select('r.news_item_id as $item')
        .select(selectionFor(Reaction, columns).columns)
        .where('r.user_id', '=', userId)
        .where(raw<SqlBool>`r.news_item_id = any(${items})`),
    );
    const byItem = new Map(rows.map((row) => [row.$item, row as RowOf<Reaction>]));
    return items.map((item) => byItem.get(item) ?? null);
  };
  return loaders.batchLoader<RowOf<Reaction> | null>(
    'reactions of a user',
    loadReactions,
    `${userId} ${columns.join()}`,
  )(newsItemId);
};
