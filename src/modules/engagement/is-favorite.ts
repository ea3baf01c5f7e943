import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import type { Favorite } from './favorite.js';
import type { FavoriteKind } from './favorite-kind.js';

const markOf = ({ kind, subjectId }: Pick<Favorite, 'kind' | 'subjectId'>): string => `${kind} ${subjectId}`;

/** Whether the signed-in user has marked something. All that the user has marked is read once a request, because lists ask it of every row. */
export async function isFavorite({ caller, loaders, sql }: Context, kind: FavoriteKind, subjectId: string): Promise<boolean> {
  if (!caller.user) return false;
  const marked = await loaders.batch('what users have marked', async (users) => {
    const rows = await sql.run(
      sql.db
        .selectFrom('favorite')
        .select(['user_id as userId', 'kind', 'subject_id as subjectId'])
        .where(raw<SqlBool>`user_id = any(${users})`),
    );
    return users.map((user) => new Set(rows.filter(({ userId }) => userId === user).map(markOf)));
  })(caller.user.id);
  return marked.has(markOf({ kind, subjectId }));
}
