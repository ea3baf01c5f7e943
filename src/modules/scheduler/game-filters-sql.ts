import type { Param } from '../../kernel/session.js';

/** SQL: marked as a favorite by that user. */
export const isMarked = (kind: 'GAME' | 'COURT', column: string, userId: string, param: Param): string =>
  `exists (select from favorite f where f.user_id = ${param(userId)} and f.kind = '${kind}' and f.subject_id = ${column})`;

/** SQL: skill does not matter, or at least one of some ratings is within its bounds, of which an unset one, or 0, is open. */
export const fitsRatings = (ratings: readonly number[], param: Param): string =>
  `(r.skill_is_ignored or exists (select from unnest(${param(ratings)}::float8[]) rating
    where rating between coalesce(nullif(r.skill_from, 0), '-infinity') and coalesce(nullif(r.skill_to, 0), 'infinity')))`;
