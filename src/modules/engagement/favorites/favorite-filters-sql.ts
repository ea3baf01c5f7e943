import type { CustomFilter } from '../../../kernel/declare/fields/options.js';
import type { Param } from '../../../kernel/declare/row.js';
import type { FavoriteKind } from './favorite.js';

/** Creates a filter by whether the ID in `column` is a favorite of the signed-in user. */
export const favoriteFilter = (kind: FavoriteKind, description: string, column = 'id'): CustomFilter => ({
  type: () => Boolean,
  description,
  sql: (value: boolean, param, { user }) =>
    `${value ? '' : 'not '}exists (select from ${param.table('favorite')} f where f.user_id = ${param(user?.id ?? null)} and f.kind = '${kind}' and f.subject_id = ${param.row}.${column})`,
});

/** Returns the SQL condition that the favorite `f` is a club with the ID of the court, or a club that has a league at the court. */
const isClubOfCourt = ({ row, table }: Param): string => `(f.subject_id = ${row}.court_id
  or exists (select from ${table('league')} l where l.club_id = f.subject_id and l.location_id = ${row}.court_id))`;

/** Creates a filter by whether a game takes place at a favorite court of the signed-in user, or at a court of a favorite club. */
export const favoriteCourtFilter = (description: string): CustomFilter => ({
  type: () => Boolean,
  description,
  sql: (value: boolean, param, { user }) =>
    `${value ? '' : 'not '}exists (select from ${param.table('favorite')} f where f.user_id = ${param(user?.id ?? null)}
      and (f.kind = 'COURT' and f.subject_id = ${param.row}.court_id or f.kind = 'CLUB' and ${isClubOfCourt(param)}))`,
});
