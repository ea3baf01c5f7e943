import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { selectionFor } from '../../../kernel/read/selection.js';
import { upsert } from '../../../kernel/write/save.js';
import { NewsItem } from '../../news/news-item.js';
import { Reaction, type ReactionKind } from './reaction.js';

async function checkNewsItem({ loaders }: Context, id: string): Promise<void> {
  if (!(await loaders.loadRow(NewsItem, ['id'], id))) fail('NOT_FOUND', `no newsItem with the id ${id}`);
}

/**
 * Saves the reaction of a user to a news item. A new reaction replaces the previous one (decision 26). Throws NOT_FOUND for an unknown
 * item.
 */
export async function react(
  context: Context,
  userId: string,
  newsItemId: string,
  kind: ReactionKind,
  columns: readonly string[],
): Promise<RowOf<Reaction>> {
  await checkNewsItem(context, newsItemId);
  return upsert(context, Reaction, {}, columns, { userId, newsItemId, kind, createdAt: now() });
}

/**
 * Removes the reaction of a user to a news item and returns it. Returns null if the user had no reaction to the item. Throws NOT_FOUND for
 * an unknown item.
 */
export async function unreact(
  context: Context,
  userId: string,
  newsItemId: string,
  columns: readonly string[],
): Promise<RowOf<Reaction> | null> {
  await checkNewsItem(context, newsItemId);
  const { loaders, sql } = context;
  const row = await sql.first(
    sql.db
      .deleteFrom('reaction as r')
      .where('r.user_id', '=', userId)
      .where('r.news_item_id', '=', newsItemId)
      .returning(selectionFor(Reaction, columns).columns),
  );
  loaders.clear();
  return row;
}
