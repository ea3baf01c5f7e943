import type { Join } from './join.js';

/** List of IDs as an array literal of PostgreSQL, for use as a parent key. */
export const idArray = (ids: readonly string[]): string =>
  `{${[...new Set(ids)].map((id) => `"${id.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`;

/** Join of the rows with these IDs, in the order of the IDs. */
export const idArrayJoin = (name: string): Join => ({
  name,
  where: (_, { key, row }) => `${row}.id in (select unnest(${key}::text[]))`,
  ids: 'p.key::text[]',
});
