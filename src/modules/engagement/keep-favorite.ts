import type { Context } from '../../kernel/declare/context.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import { onBehalfOf } from '../../kernel/declare/on-behalf-of.js';
import { allOf } from '../../kernel/declare/problems.js';
import { selectionFor } from '../../kernel/read/selection.js';
import type { Row } from '../../kernel/session.js';
import { upsert } from '../../kernel/write/save.js';
import { Favorite } from './favorite.js';
import type { FavoriteKind } from './favorite-kind.js';

/** Adds a favorite; one that is there already stays the one that it is. */
export function addFavorite(
  context: Context,
  named: string | null,
  kind: FavoriteKind,
  subjectId: string,
  columns: readonly string[],
): Promise<Row> {
  const [userId] = allOf(
    () => onBehalfOf(context, named),
    () => subjectId !== '' || reject('subjectId', 'an id'),
  );
  return upsert(context, Favorite, {}, columns, { userId, kind, subjectId });
}

/** Removes a favorite of that user and returns it as it was. */
export async function removeFavorite(
  { loaders, sql }: Context,
  userId: string,
  id: string,
  columns: readonly string[],
): Promise<Row> {
  const removed = await sql.first(
    sql.db
      .deleteFrom('favorite as r')
      .where('r.id', '=', id)
      .where('r.user_id', '=', userId)
      .returning(selectionFor(Favorite, columns).columns),
  );
  loaders.clear();
  return removed ?? fail('NOT_FOUND', `no favorite of this user with the id ${id}`);
}
