import type { Param } from '../../../kernel/declare/row.js';

/** SQL condition that a user owns or created the sponsor, or has a sponsorship of it. `sponsor` is the alias of its row. */
export const isOwnSponsor = (sponsor: string, userId: string, { table }: Param): string =>
  `(${sponsor}.user_id = ${userId} or ${sponsor}.created_by_id = ${userId}
    or exists (select from ${table('sponsorship')} l where l.sponsor_id = ${sponsor}.id and l.user_id = ${userId}))`;
