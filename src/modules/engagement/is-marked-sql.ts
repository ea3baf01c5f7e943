import type { CustomFilter } from '../../kernel/declare/options.js';
import type { Param } from '../../kernel/declare/row.js';
import type { FavoriteKind } from './favorite-kind.js';

/** Marked by the signed-in user, as the column names it; nobody's marks are told to others. */
export const isMarked = (kind: FavoriteKind, description: string, column = 'id'): CustomFilter => ({
  type: () => Boolean,
  description,
  sql: (wanted: boolean, param, { user }) =>
    `${wanted ? '' : 'not '}exists (select from ${param.table('favorite')} f where f.user_id = ${param(user?.id ?? null)} and f.kind = '${kind}' and f.subject_id = ${param.row}.${column})`,
});

/** A club with the ID of the court, and the clubs with a league at the court. */
const isClubOfCourt = ({ row, table }: Param): string => `(f.subject_id = ${row}.court_id
  or exists (select from ${table('league')} l where l.club_id = f.subject_id and l.location_id = ${row}.court_id))`;

/** The game `r` is played at a court that the signed-in user has marked, or at a court of a club that the user has marked. */
export const isAtMarkedCourt = (description: string): CustomFilter => ({
  type: () => Boolean,
  description,
  sql: (wanted: boolean, param, { user }) =>
    `${wanted ? '' : 'not '}exists (select from ${param.table('favorite')} f where f.user_id = ${param(user?.id ?? null)}
      and (f.kind = 'COURT' and f.subject_id = ${param.row}.court_id or f.kind = 'CLUB' and ${isClubOfCourt(param)}))`,
});
