import type { Join } from './join.js';

/** A list of ids as the parent of the rows that it names: the text of an array. */
export const idsAs = (ids: readonly string[]): string =>
  `{${[...new Set(ids)].map((id) => `"${id.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`;

/** The join of such a list with its rows, in the order of the ids. */
export const namedIn = (name: string): Join => ({
  name,
  where: (_, { key, row }) => `${row}.id in (select unnest(${key}::text[]))`,
  ids: 'p.key::text[]',
});
