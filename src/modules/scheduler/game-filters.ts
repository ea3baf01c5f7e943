import type { CustomFilter } from '../../kernel/declare/options.js';
import { momentOf, someNumbersOf, someOf } from '../../kernel/read/own-filters.js';
import { fitsRatings } from './game-filters-sql.js';
import { GameGender, GameType } from './game-values.js';

/** At least one of some flags, each named by a value of an enumeration. */
const flagged = (columnOf: (value: string) => string) => (wanted: readonly string[]) =>
  `(${wanted.map((value) => `r.${columnOf(value)}`).join(' or ') || 'false'})`;

/** The filters of section 4.14 beyond those of the columns. */
export const gameFilters: Record<string, CustomFilter> = {
  types: someOf(
    GameType,
    'What is played, as the game states it.',
    flagged((type) => `types_${type.toLowerCase()}`),
  ),
  genders: someOf(
    GameGender,
    'Who plays, as the game states it.',
    flagged((gender) => `genders_${gender.toLowerCase()}`),
  ),
  beginsAt: momentOf('When it starts; without a start, its day counts.', 'coalesce(r.starts_at, r.day)'),
  ratings: someNumbersOf(
    'The ratings of the players for whom it is: those within its bounds, and all where skill does not matter.',
    fitsRatings,
  ),
};
