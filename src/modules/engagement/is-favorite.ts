import type { Context } from '../../kernel/context.js';
import type { FavoriteKind } from './favorite-kind.js';

/** Whether the signed-in user has marked something. All that the user has marked is read once a request, because lists ask it of every row. */
export async function isFavorite({ caller, loaders, sql }: Context, kind: FavoriteKind, subjectId: string): Promise<boolean> {
  if (!caller.user) return false;
  const marked = await loaders.batch('what users have marked', async (users) => {
    const rows = await sql.rows<{ userId: string; mark: string }>(
      `select user_id as "userId", kind || ' ' || subject_id as mark from favorite where user_id = any($1)`,
      [users],
    );
    return users.map((user) => new Set(rows.filter(({ userId }) => userId === user).map(({ mark }) => mark)));
  })(caller.user.id);
  return marked.has(`${kind} ${subjectId}`);
}
