/** SQL: whether a sponsor, the row of that alias, is the user's own: theirs, made by them, or shared with them. */
export const isOwnSponsor = (sponsor: string, userId: string): string =>
  `(${sponsor}.user_id = ${userId} or ${sponsor}.created_by_id = ${userId}
    or exists (select from sponsorship l where l.sponsor_id = ${sponsor}.id and l.user_id = ${userId}))`;
