import type { Param } from '../../../kernel/session.js';

/** SQL condition: skill does not matter, or at least one rating is within the bounds. A bound that is null or 0 is no limit. */
export const fitsRatings = (ratings: readonly number[], param: Param): string =>
  `(${param.row}.skill_is_ignored or exists (select from unnest(${param(ratings)}::float8[]) rating
    where rating between coalesce(nullif(${param.row}.skill_from, 0), '-infinity') and coalesce(nullif(${param.row}.skill_to, 0), 'infinity')))`;
