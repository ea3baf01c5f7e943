import { throwInvalidValue, withParentName } from '../bind/invalid-value-error.js';
import type { JsonSchema } from '../bind/json.js';
import { computedFrom, type LegacyRequest, type Reader } from './reader.js';
import { query } from './sources.js';

export interface PageOptions {
  /** Page size of requests without `page_size`. `all` returns all rows. Default: 25. */
  readonly default?: number | 'all';
  /** Maximum `page_size`. Larger values are reduced to this maximum. Default: values over 1,000 are rejected. */
  readonly clampedTo?: number;
}

/** Maximum `page_size` of lists without `clampedTo`, which reject larger values (decision 52). */
const maxPageSize = 1_000;

/** Adds keywords to the JSON Schemas of a reader's parameters. */
const withSchema = <T>(reader: Reader<T>, keywords: JsonSchema): Reader<T> => ({
  ...reader,
  parameters: reader.parameters.map((parameter) => ({ ...parameter, schema: { ...parameter.schema, ...keywords } })),
});

const maxOffset = 2 ** 31 - 1;

const pagingMode: Reader<LegacyRequest['paging']> = {
  parameters: [],
  names: () => new Map(),
  compile: () => (request) => request.paging,
};

/**
 * Returns readers of the page parameters `page_size`, `current_page` and `retrieve_all` (decisions 7 and 52), for `args: { …, ...page() }`.
 * If `first` has no value, the list returns all rows.
 */
export function page({ default: defaultSize = 25, clampedTo }: PageOptions = {}): {
  first: Reader<number>;
  offset: Reader<number>;
} {
  const pageSize = withSchema(query.int('page_size', { min: 0, max: Infinity }), {
    ...(clampedTo === undefined ? { maximum: maxPageSize } : {}),
    description: `Number of records per page, at most ${clampedTo ?? maxPageSize}. Larger values ${clampedTo ? 'are reduced to this limit' : 'result in 400'}. Default: ${defaultSize}.`,
  });
  const first = computedFrom(
    (rows, retrieveAll) => {
      if (retrieveAll) return undefined;
      if (!rows) return defaultSize === 'all' ? undefined : defaultSize;
      if (clampedTo !== undefined) return Math.min(rows, clampedTo);
      return rows <= maxPageSize
        ? rows
        : withParentName('page_size', () => throwInvalidValue(`a whole number of at most ${maxPageSize}`));
    },
    pageSize,
    query.bool('retrieve_all'),
  );
  const offset = computedFrom(
    (rows, currentPage, paging, retrieveAll) => {
      if (retrieveAll || !currentPage) return undefined;
      return Math.min(paging === 'offset' ? currentPage : (currentPage - 1) * (rows ?? 0), maxOffset) || undefined;
    },
    first,
    query.int('current_page', { min: 0, max: Infinity }),
    pagingMode,
    query.bool('retrieve_all'),
  );
  return {
    first: { ...first, names: () => new Map([['', 'page_size']]) },
    offset: { ...offset, names: () => new Map([['', 'current_page']]) },
  };
}
