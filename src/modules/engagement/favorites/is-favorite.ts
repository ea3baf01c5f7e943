import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import type { Favorite } from './favorite.js';
import type { FavoriteKind } from './favorite-kind.js';

const favoriteKey = ({ kind, subjectId }: Pick<Favorite, 'kind' | 'subjectId'>): string => `${kind} ${subjectId}`;

/** Whether a subject is a favorite of the signed-in user. Reads all favorites of the user once per request. */
export async function isFavorite({ caller, loaders, sql }: Context, kind: FavoriteKind, subjectId: string): Promise<boolean> {
  if (!caller.user) return false;
  const favorites = await loaders.batchLoader('favorites of users', async (users) => {
    const rows = await sql.run(
      sql.db
        .selectFrom('favorite')
        .select(['user_id as userId', 'kind', 'subject_id as subjectId'])
        .where(raw<SqlBool>`user_id = any(${users})`),
    );
    return users.map((user) => new Set(rows.filter(({ userId }) => userId === user).map(favoriteKey)));
  })(caller.user.id);
  return favorites.has(favoriteKey({ kind, subjectId }));
}
