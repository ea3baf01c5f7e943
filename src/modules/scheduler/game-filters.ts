import { Float } from 'type-graphql';
import type { CustomFilter } from '../../kernel/declare/options.js';
import { Instant } from '../../kernel/declare/scalars.js';
import { fitsRatings, isMarked } from './game-filters-sql.js';
import { GameGender, GameType } from './game-values.js';

/** At least one of some flags, each asked for by a value of an enumeration. */
const anyOf = (type: object, description: string, columnOf: (value: string) => string): CustomFilter => ({
  type: () => [type],
  description,
  sql: (wanted: string[]) => `(${wanted.map((value) => `r.${columnOf(value)}`).join(' or ') || 'false'})`,
});

/** Marked by the signed-in user; nobody's marks are told to others. */
const marked = (description: string, kind: 'GAME' | 'COURT', column: string): CustomFilter => ({
  type: () => Boolean,
  description,
  sql: (wanted: boolean, param, { user }) => `${wanted ? '' : 'not '}${isMarked(kind, column, user?.id ?? '', param)}`,
});

const begins = 'coalesce(r.starts_at, r.day)';

/** The filters of section 4.14 beyond those of the columns. */
export const gameFilters: Record<string, CustomFilter> = {
  types: anyOf(GameType, 'At least one of these is played, as the game states it.', (type) => `types_${type.toLowerCase()}`),
  genders: anyOf(
    GameGender,
    'At least one of these plays, as the game states it.',
    (gender) => `genders_${gender.toLowerCase()}`,
  ),
  startsFrom: {
    type: () => Instant,
    description: 'It starts then or later; without a start, its day counts.',
    sql: (from: string, param) => `${begins} >= ${param(from)}::timestamptz`,
  },
  startsUntil: {
    type: () => Instant,
    description: 'It starts then or earlier; without a start, its day counts.',
    sql: (until: string, param) => `${begins} <= ${param(until)}::timestamptz`,
  },
  ratings: {
    type: () => [Float],
    description: 'Skill does not matter, or at least one of these ratings is within its bounds.',
    sql: fitsRatings,
  },
  isViewerFavorite: marked('It is a favorite of the signed-in user.', 'GAME', 'r.id'),
  isAtFavoriteCourt: marked('It is played at a court that is a favorite of the signed-in user.', 'COURT', 'r.court_id'),
};
