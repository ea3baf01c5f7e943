import type { Context } from '../../../kernel/declare/context.js';
import { type PageArgs, parsePageArgs, withoutRows } from '../../../kernel/read/paging/page-args.js';
import type { ListSelection } from '../../../kernel/read/select.js';
import { type RecordConnection, resolveConnection } from '../../../kernel/serve/connection.js';
import { NewsItem } from '../../news/news-item.js';
import { Reaction } from './reaction.js';
import type { ReactionKind } from './reaction-kind.js';

/** Page of reactions to a news item. Null if the item is not found. `kind` restricts the list and its counts. */
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
