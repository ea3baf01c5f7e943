import { createCache, describeCache } from '../caches.js';
import { recordMetas } from '../declare/meta.js';
import type { StatementFacts } from '../facts.js';
import type { ResponseSources } from '../response-sources.js';

/** Dependencies of a statement or response: records, and possibly a table or function that the change log does not cover. */
export interface Source {
  readonly records: ReadonlySet<string>;
  /** Name of a table or function that the change log does not cover. Null if the change log covers all dependencies. */
  readonly uncoveredDependency: string | null;
}

/**
 * Maps each table to the records whose data it contains: their rows, or data that triggers derive from the rows in the same transaction.
 */
function recordsByTable(): Map<string, string[]> {
  const records = new Map<string, string[]>();
  for (const { name, options } of recordMetas()) {
    if (!options || options.unlogged) continue;
    const { table, nameTable, wordTable, derivedTables = [], hasRowCount, search } = options;
    for (const tableName of [table, nameTable, wordTable, ...derivedTables, hasRowCount && 'row_count', search && 'search_text'])
      if (tableName) records.set(tableName, [...(records.get(tableName) ?? []), name]);
  }
  return records;
}

const cacheDescription = {
  name: 'names of the tables read by each statement',
  limit: '2,000 statements',
  validity: 'the database is migrated',
};
// Registered on import, because the list of caches must be complete before the first instance of `Sources` is created.
describeCache(cacheDescription);

/** Determines which records a statement reads, from the tables that it reads. */
export class Sources {
  readonly #recordsByTable: ReadonlyMap<string, readonly string[]> = recordsByTable();
  /** Tables that contain the rows of records. Excludes tables that triggers fill. */
  readonly #ownTables = new Set(recordMetas().map(({ options }) => options?.table));
  readonly #loggedTables: ReadonlySet<string>;
  readonly #cache = createCache<string, Source>(cacheDescription, { max: 2_000 });

  constructor(/** Tables with a change log trigger. */ loggedTables: Iterable<string>) {
    this.#loggedTables = new Set(loggedTables);
  }

  /** Returns the dependencies of a response. */
  sourceOfReads({ statements, otherDependency: uncoveredDependency }: ResponseSources): Source {
    const records = new Set<string>();
    let dependency = uncoveredDependency;
    for (const [text, statementFactsOf] of statements) {
      const source = this.#sourceOf(text, statementFactsOf);
      dependency ??= source.uncoveredDependency;
      for (const record of source.records) records.add(record);
    }
    return { records, uncoveredDependency: dependency };
  }

  #sourceOf(text: string, statementFactsOf: () => Pick<StatementFacts, 'readTables' | 'otherDependency'>): Source {
    const cached = this.#cache.get(text);
    if (cached) return cached;
    const { readTables, otherDependency } = statementFactsOf();
    const records = readTables.flatMap((table) => this.#recordsByTable.get(table) ?? []);
    const uncoveredDependency = otherDependency ?? readTables.find((table) => !this.#isLogged(table)) ?? null;
    const source = { records: new Set(records), uncoveredDependency };
    this.#cache.set(text, source);
    return source;
  }

  #isLogged(table: string): boolean {
    return this.#recordsByTable.has(table) && (this.#loggedTables.has(table) || !this.#ownTables.has(table));
  }
}
