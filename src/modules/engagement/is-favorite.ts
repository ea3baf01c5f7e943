import type { Context } from '../../kernel/context.js';
import type { FavoriteKind } from './favorite-kind.js';

/** Whether the signed-in user has marked something; one statement for a whole list of things. */
export async function isFavorite({ caller, loaders, sql }: Context, kind: FavoriteKind, subjectId: string): Promise<boolean> {
  const { user } = caller;
  if (!user) return false;
  return loaders.batch(`favorites ${kind} of ${user.id}`, async (ids) => {
    const rows = await sql.rows<{ id: string }>(
      'select subject_id as id from favorite where user_id = $1 and kind = $2 and subject_id = any($3)',
      [user.id, kind, ids],
    );
    const marked = new Set(rows.map(({ id }) => id));
    return ids.map((id) => marked.has(id));
  })(subjectId);
}
