import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { type PageArgs, parsePageArgs, withoutRows } from '../../../kernel/read/paging/page-args.js';
import type { ListSelection } from '../../../kernel/read/select.js';
import { selectionFor } from '../../../kernel/read/selection.js';
import { type RecordConnection, resolveConnection } from '../../../kernel/serve/connection.js';
import { NewsItem } from '../../news/news-item.js';
import { Reaction, type ReactionKind } from './reaction.js';

/** Returns the reaction of a user to a news item. Reads the user's reactions to all items in a list with one statement. */
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

/** Reads a page of reactions to a news item. Returns null if the item is not found. `kind` restricts the list and its counts. */
export async function reactionsTo(
  { loaders }: Context,
  newsItemId: string,
  kind: ReactionKind | null,
  pageArgs: PageArgs,
  selection: ListSelection,
): Promise<RecordConnection | null> {
  parsePageArgs(pageArgs);
  if (!(await loaders.loadRow(NewsItem, ['id'], newsItemId))) return null;
  const filter = kind ? { kind: { eq: kind } } : null;
  const args = { ...(selection.rows ? pageArgs : withoutRows(pageArgs)), filter };
  return resolveConnection(
    await loaders.loadPage(Reaction, 'newsItemId', newsItemId, args, selection),
    loaders,
    Reaction,
    { filter },
    'newsItemId',
    newsItemId,
  );
}
