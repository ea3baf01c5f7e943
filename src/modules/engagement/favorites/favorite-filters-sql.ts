import {
  constantSql,
  expression,
  parameter,
  type RowReference,
  type SqlExpression,
  tableNamed,
} from '../../../kernel/declare/expression.js';
import type { CustomFilter } from '../../../kernel/declare/fields/options.js';
import type { FavoriteKind } from './favorite.js';

/** Creates a filter that selects a row if a favorite `f` of the signed-in user meets a condition. */
const filterBy = (description: string, conditionOf: (row: RowReference) => SqlExpression): CustomFilter => ({
  type: () => Boolean,
  description,
  sql(value: boolean, row, { user }) {
    const exists = expression`exists (select from ${tableNamed('favorite')} f where f.user_id = ${parameter(user?.id ?? null)} and ${conditionOf(row)})`;
    return value ? exists : expression`not ${exists}`;
  },
});

/** Creates a filter for rows whose ID in `column` is a favorite of the signed-in user. */
export const favoriteFilter = (kind: FavoriteKind, description: string, column = 'id'): CustomFilter =>
  filterBy(description, (row) => expression`f.kind = '${constantSql(kind)}' and f.subject_id = ${row.column(column)}`);

/**
 * Returns the SQL condition that the favorite `f` is a club of a court. The club has the same ID as the court, or has a league at the
 * court.
 */
const isClubOfCourt = (row: RowReference): SqlExpression => expression`(f.subject_id = ${row}.court_id
  or exists (select from ${tableNamed('league')} l where l.club_id = f.subject_id and l.location_id = ${row}.court_id))`;

/** Creates a filter for games at a favorite court of the signed-in user, or at a court of a favorite club. */
export const favoriteCourtFilter = (description: string): CustomFilter =>
  filterBy(
    description,
    (row) => expression`(f.kind = 'COURT' and f.subject_id = ${row}.court_id or f.kind = 'CLUB' and ${isClubOfCourt(row)})`,
  );
