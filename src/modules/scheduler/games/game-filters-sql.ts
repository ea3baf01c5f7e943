import type { Param } from '../../../kernel/session.js';

/** SQL condition that the game ignores skill, or at least one rating is within its bounds. A bound of null or 0 means no limit. */
export const fitsRatings = (ratings: readonly number[], param: Param): string =>
  `(${param.row}.skill_is_ignored or exists (select from unnest(${param(ratings)}::float8[]) rating
    where rating between coalesce(nullif(${param.row}.skill_from, 0), '-infinity') and coalesce(nullif(${param.row}.skill_to, 0), 'infinity')))`;
