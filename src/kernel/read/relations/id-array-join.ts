import type { Join } from './join.js';

/** Returns a list of IDs as an array literal of PostgreSQL, to be used as the key of a parent. */
export const idArray = (ids: readonly string[]): string =>
  `{${[...new Set(ids)].map((id) => `"${id.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`;

/** Returns the join of the rows with the IDs in the key, in the order of the IDs. */
export const idArrayJoin = (name: string): Join => ({
  name,
  where: (_, { key, row }) => `${row}.id in (select unnest(${key}::text[]))`,
  ids: 'p.key::text[]',
});
