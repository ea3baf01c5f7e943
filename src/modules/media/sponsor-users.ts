import type { Param } from '../../kernel/declare/row.js';

/** SQL: whether a sponsor, the row of that alias, is the user's own: theirs, made by them, or shared with them. */
export const isOwnSponsor = (sponsor: string, userId: string, { table }: Param): string =>
  `(${sponsor}.user_id = ${userId} or ${sponsor}.created_by_id = ${userId}
    or exists (select from ${table('sponsorship')} l where l.sponsor_id = ${sponsor}.id and l.user_id = ${userId}))`;
