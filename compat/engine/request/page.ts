import { combined, type LegacyRequest, type Reader } from './reader.js';
import { query } from './sources.js';

export interface PageOptions {
  /** Rows when `page_size` is absent; `all` for lists that then return everything. */
  readonly default?: number | 'all';
  readonly max?: number;
}

/** A reader whose value is told in words of its own. */
const described = <T>(reader: Reader<T>, description: string): Reader<T> => ({
  ...reader,
  parameters: reader.parameters.map((parameter) => ({ ...parameter, schema: { ...parameter.schema, description } })),
});

const largest = 2 ** 31 - 1;

const pagingOf: Reader<LegacyRequest['paging']> = {
  parameters: [],
  names: () => new Map(),
  compile: () => (request) => request.paging,
};

/**
 * The page parameters of a list, for `args: { …, ...page() }`: `page_size`, `current_page` and `retrieve_all` (decision 7).
 * Without `first` a list returns everything.
 */
export function page({ default: usual = 25, max = 100 }: PageOptions = {}): { first: Reader<number>; offset: Reader<number> } {
  const asked = query.int('page_size', { min: 0, max: Infinity });
  const size = combined(
    (rows, all) => {
      if (all) return undefined;
      return rows ? Math.min(rows, max) : usual === 'all' ? undefined : usual;
    },
    described(asked, `How many records at most, no more than ${max}; ${usual} where it is left out.`),
    query.bool('retrieve_all'),
  );
  const offset = combined(
    (rows, current, paging, all) => {
      if (all || !current) return undefined;
      return Math.min(paging === 'offset' ? current : (current - 1) * (rows ?? 0), largest) || undefined;
    },
    size,
    query.int('current_page', { min: 0, max: Infinity }),
    pagingOf,
    query.bool('retrieve_all'),
  );
  return {
    first: { ...size, names: () => new Map([['', 'page_size']]) },
    offset: { ...offset, names: () => new Map([['', 'current_page']]) },
  };
}
