import { bounded, remember } from '../bounded.js';
import { recordMetas } from '../declare/meta.js';
import type { Reads } from '../reads.js';
import type { CatalogName } from './catalog-sql.js';

/** Of which records a statement reads rows, and what it depends on that no log tells of; null where there is no such thing. */
export interface Source {
  readonly records: ReadonlySet<string>;
  readonly unknownBy: string | null;
}

/**
 * The time and chance in SQL, what a session is set to, and what PostgreSQL knows of itself; and when a row was written last, of which the log
 * tells only where something else was changed.
 */
const beyond =
  /\b(?:now|today|tomorrow|yesterday|timeofday|random|setseed|current_\w+|localtime\w*|\w+_timestamp|gen_random_uuid|uuidv\d|nextval|lastval|set_config|information_schema|pg_\w+|age(?=\s*\()|updated_at)\b/;

/** Names in a text; those behind `as` and behind a point are none of tables, unless the schema stands in front. */
const names = /\bas\s+"?[a-z_][\w.]*|(?:([a-z_]\w*)"?\s*\.\s*"?)?([a-z_]\w*)/g;

function namesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const [, schema, name] of text.matchAll(names)) if (name && (!schema || schema === 'public')) found.add(name);
  return found;
}

/** Records by table: a table contains their rows, or data that triggers derive from them in the same transaction. */
function recordsByTable(): Map<string, string[]> {
  const records = new Map<string, string[]>();
  for (const { name, options } of recordMetas()) {
    if (!options || options.unlogged) continue;
    const { table, nameTable, wordTable, derivedTables = [], counted, search } = options;
    for (const each of [table, nameTable, wordTable, ...derivedTables, counted && 'row_count', search && 'search_text'])
      if (each) records.set(each, [...(records.get(each) ?? []), name]);
  }
  return records;
}

const remembered = { what: 'tables that statements read, by their texts', most: '2,000', until: 'the database is migrated' };
// Before somebody polls, too.
remember(remembered);

/**
 * What statements read, told from their texts and from what there is in the database: every name of a table that stands in a text counts, as
 * a column or an alias of that name does, and what a function of ours says counts where it is called. So it is too much now and then, and never
 * too little.
 */
export class Sources {
  readonly #tables: ReadonlyMap<string, readonly string[]> = recordsByTable();
  readonly #names: ReadonlyMap<string, readonly CatalogName[]>;
  readonly #known = bounded<string, Source>(remembered, { max: 2_000 });

  constructor(names: readonly CatalogName[]) {
    this.#names = Map.groupBy(names, ({ name }) => name);
  }

  /** What an answer was read from. */
  of({ texts, unknownBy }: Reads): Source {
    const records = new Set<string>();
    let unknown = unknownBy;
    for (const text of texts) {
      const source = this.#ofText(text);
      unknown ??= source.unknownBy;
      for (const record of source.records) records.add(record);
    }
    return { records, unknownBy: unknown };
  }

  #ofText(text: string): Source {
    const known = this.#known.get(text);
    if (known) return known;
    const found = { records: new Set<string>(), unknownBy: null };
    this.#read(text, found, new Set());
    this.#known.set(text, found);
    return found;
  }

  #read(text: string, found: { records: Set<string>; unknownBy: string | null }, called: Set<string>): void {
    const lower = text.toLowerCase();
    found.unknownBy ??= beyond.exec(lower)?.[0] ?? null;
    for (const word of namesIn(lower)) {
      for (const { name, source, isLogged } of this.#names.get(word) ?? []) {
        if (source === null) this.#readTable(name, isLogged, found);
        else if (source === '') found.unknownBy ??= name;
        else if (!called.has(source)) this.#read(source, found, called.add(source));
      }
    }
  }

  #readTable(name: string, isLogged: boolean, found: { records: Set<string>; unknownBy: string | null }): void {
    const records = this.#tables.get(name) ?? [];
    // Derived tables have no log of their own; of a table of rows the database has the last word.
    const isDerived = records.length > 0 && !recordMetas().some(({ options }) => options?.table === name);
    if (records.length === 0 || !(isLogged || isDerived)) found.unknownBy ??= name;
    for (const record of records) found.records.add(record);
  }
}
