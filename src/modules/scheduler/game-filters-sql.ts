import type { Param } from '../../kernel/session.js';

/** SQL: skill does not matter, or at least one of some ratings is within its bounds, of which an unset one, or 0, is open. */
export const fitsRatings = (ratings: readonly number[], param: Param): string =>
  `(r.skill_is_ignored or exists (select from unnest(${param(ratings)}::float8[]) rating
    where rating between coalesce(nullif(r.skill_from, 0), '-infinity') and coalesce(nullif(r.skill_to, 0), 'infinity')))`;
