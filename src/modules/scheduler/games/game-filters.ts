import { anyOf, expression, parameter, type RowReference, type SqlExpression } from '../../../kernel/declare/expression.js';
import type { CustomFilter } from '../../../kernel/declare/fields/options.js';
import { enumListFilter, instantFilter, numberListFilter } from '../../../kernel/read/conditions/custom-filters.js';
import { GameGender, GameType } from './game-values.js';

/**
 * Returns the SQL condition that the game is open to all skill levels, or that at least one rating is within its bounds. A bound of null or
 * 0 means no limit.
 */
const fitsRatings = (ratings: readonly number[], row: RowReference): SqlExpression =>
  expression`(${row}.skill_is_ignored or exists (select from unnest(${parameter(ratings)}::float8[]) rating
    where rating between coalesce(nullif(${row}.skill_from, 0), '-infinity') and coalesce(nullif(${row}.skill_to, 0), 'infinity')))`;

/** Returns the SQL condition that the game has the flag for at least one of the enumeration values. */
const hasAnyFlag = (columnOf: (value: string) => string) => (values: readonly string[], row: RowReference) =>
  expression`(${anyOf(values.map((value) => row.column(columnOf(value))))})`;

/** Filters for games that the kernel does not derive from the fields (section 4.14). */
export const gameFilters: Record<string, CustomFilter> = {
  types: enumListFilter(
    GameType,
    'Type of play that the game offers.',
    hasAnyFlag((type) => `types_${type.toLowerCase()}`),
  ),
  genders: enumListFilter(
    GameGender,
    'Recommended gender of the players.',
    hasAnyFlag((gender) => `genders_${gender.toLowerCase()}`),
  ),
  beginsAt: instantFilter(
    'Start of the game, or its day if it has no start.',
    (row) => expression`coalesce(${row}.starts_at, ${row}.day)`,
  ),
  ratings: numberListFilter(
    'Ratings of suitable players: at least the minimum and at most the maximum of the game, or any rating if the game is open to all skill levels.',
    fitsRatings,
  ),
};
