import { type AliasedRawBuilder, sql } from 'kysely';
import { createCache, validForever } from '../caches.js';
import { columnOf, columnsOf, metaOf, type RecordClass, type RecordMeta } from '../declare/meta.js';

/** Selected to-one relation. */
export interface SelectedRelation {
  /** Property of the row that contains the related row. */
  readonly property: string;
  readonly foreignKey: string;
  readonly target: RecordClass;
  readonly selection: Selection;
}

/** Returns the name of the property that contains the related row of a to-one relation, if it was loaded with the list. */
export const relationProperty = (relation: string): string => `@${relation}`;

let lastNumber = 0;

/** Selected columns of a record, and the to-one relations that are loaded with its rows. */
export class Selection {
  /** Unique number of the selection, which is part of the keys of statements and loaders. */
  readonly number = ++lastNumber;
  #columns: AliasedRawBuilder<unknown, string>[] | undefined;
  readonly #extendedSelections = new Map<string, Selection>();

  constructor(
    readonly cls: RecordClass,
    readonly keys: readonly string[],
    readonly relations: readonly SelectedRelation[] = [],
  ) {}

  /** Columns of the table, which has the alias `r`. The alias of each column is its key. */
  get columns(): readonly AliasedRawBuilder<unknown, string>[] {
    this.#columns ??= this.keys.map((key) => sql.ref(`r.${columnOf(metaOf(this.cls), key).column}`).as(key));
    return this.#columns;
  }

  /** Returns a selection with additional columns. */
  withColumns(...additionalKeys: readonly string[]): Selection {
    const missingKeys = additionalKeys.filter((key) => !this.keys.includes(key));
    if (missingKeys.length === 0) return this;
    const name = missingKeys.join();
    const selection =
      this.#extendedSelections.get(name) ?? new Selection(this.cls, [...this.keys, ...missingKeys], this.relations);
    this.#extendedSelections.set(name, selection);
    return selection;
  }
}

const selectionsByKeys = createCache<string, Selection>(
  { name: 'selections of columns', limit: '2,000, and the SQL text of 1,000', validity: validForever },
  { max: 2_000 },
);

/** Columns to select: a selection, or keys of columns. */
export type SelectionOrKeys<K extends string = string> = Selection | readonly K[];

/** Returns the selection of these columns of a record. The same keys return the same object while it is in the cache. */
export function selectionFor(cls: RecordClass, keys: SelectionOrKeys): Selection {
  if (keys instanceof Selection) return keys;
  const name = `${cls.name} ${keys.join()}`;
  let selection = selectionsByKeys.get(name);
  if (!selection) {
    selection = new Selection(cls, [...keys]);
    selectionsByKeys.set(name, selection);
  }
  return selection;
}

/** Returns the keys of all columns that GraphQL fields or relations use, for responses whose selection is unknown. */
export const allColumns = (cls: RecordClass): string[] =>
  [...columnsOf(metaOf(cls)).values()].filter(({ field }) => !field.secret || field.ref?.one).map(({ key }) => key);

const columnLists = createCache<string, string>(
  { name: 'selections of columns', limit: '2,000, and the SQL text of 1,000', validity: validForever },
  { max: 1_000 },
);

/** Returns columns as SQL text, such as `r.title as "title", …`. */
export function selectionOf(meta: RecordMeta, keys: readonly string[]): string {
  const name = `${meta.name} ${keys.join()}`;
  const text = columnLists.get(name) ?? keys.map((key) => `r.${columnOf(meta, key).column} as "${key}"`).join(', ');
  columnLists.set(name, text);
  return text;
}
