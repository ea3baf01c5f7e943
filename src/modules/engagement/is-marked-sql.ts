import type { CustomFilter } from '../../kernel/declare/options.js';
import type { FavoriteKind } from './favorite-kind.js';

/** Marked by the signed-in user, as the column names it; nobody's marks are told to others. */
export const isMarked = (kind: FavoriteKind, description: string, column = 'id'): CustomFilter => ({
  type: () => Boolean,
  description,
  sql: (wanted: boolean, param, { user }) =>
    `${wanted ? '' : 'not '}exists (select from favorite f where f.user_id = ${param(user?.id ?? null)} and f.kind = '${kind}' and f.subject_id = r.${column})`,
});
