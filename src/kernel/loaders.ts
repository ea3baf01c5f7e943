import { constantRow } from './constant-rows.js';
import { type Bond, bondName, count, countsBy, type ListArgs, type Page, readPagesBy, selectionOf, talliesBy } from './list.js';
import { columnOf, metaOf, type RecordClass } from './meta.js';
import { inNfc } from './nfc.js';
import { optionsOf } from './record.js';
import type { Wanted } from './select.js';
import type { Row, Sql } from './sql.js';
import { visibleRows } from './visible.js';

interface Waiting<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

/**
 * Gathers the keys asked for in one turn of the event loop and loads them at once; each key is loaded once a request.
 * Leaner than the dataloader package: no per-key cache map of promises to clear, keys are text.
 */
class Batch<T> {
  readonly #known = new Map<string, Promise<T>>();
  #keys: string[] = [];
  #waiting: Waiting<T>[] = [];

  constructor(readonly read: (keys: string[]) => Promise<T[]>) {}

  load(key: string): Promise<T> {
    let promise = this.#known.get(key);
    if (!promise) {
      promise = new Promise<T>((resolve, reject) => {
        if (this.#keys.push(key) === 1) void Promise.resolve().then(() => process.nextTick(() => this.#flush()));
        this.#waiting.push({ resolve, reject });
      });
      this.#known.set(key, promise);
    }
    return promise;
  }

  #flush(): void {
    const waiting = this.#waiting;
    const keys = this.#keys;
    this.#keys = [];
    this.#waiting = [];
    this.read(keys).then(
      (values) => {
        for (const [index, { resolve }] of waiting.entries()) resolve(values[index] as T);
      },
      (error: unknown) => {
        for (const { reject } of waiting) reject(error);
      },
    );
  }
}

/** The loaders of one request: one statement a relation level, whatever the number of parents. */
export class Loaders {
  readonly #batches = new Map<string, Batch<unknown>>();
  /** Batches of `one` by the very list of columns that a selection comes with, because names take longer to build than rows to find. */
  readonly #ones = new Map<readonly string[], { cls: RecordClass; by: string; load: (key: string) => Promise<Row | null> }>();

  constructor(readonly sql: Sql) {}

  /** Forgets what was read, after a write. */
  clear(): void {
    this.#batches.clear();
    this.#ones.clear();
  }

  /** A batch that is shared by everybody who names it alike, for relations that a module computes itself. */
  batch<T>(name: string, read: (keys: string[]) => Promise<T[]>): (key: string) => Promise<T> {
    const found = this.#batches.get(name) as Batch<T> | undefined;
    const batch = found ?? new Batch<T>(read);
    if (!found) this.#batches.set(name, batch as Batch<unknown>);
    return (key) => batch.load(key);
  }

  /** The row with that value in a unique column, by default the id; null when there is none. Slugs, codes and addresses are kept in NFC. */
  one(cls: RecordClass, columns: readonly string[], value: string, by = 'id'): Promise<Row | null> {
    if (by === 'id' && optionsOf(cls).constant) return constantRow(this.sql.source, cls, value);
    const key = by === 'id' ? value : inNfc(value);
    const known = this.#ones.get(columns);
    if (known?.cls === cls && known.by === by) return known.load(key);
    const load = this.#one(cls, columns, by);
    this.#ones.set(columns, { cls, by, load });
    return load(key);
  }

  #one(cls: RecordClass, columns: readonly string[], by: string): (key: string) => Promise<Row | null> {
    return this.batch<Row | null>(`${cls.name} ${by} ${columns.join()}`, async (keys) => {
      const column = columnOf(metaOf(cls), by).column;
      const values: unknown[] = [keys];
      const visible = visibleRows(cls, this.sql.caller, (value) => `$${values.push(value)}`);
      const selected = columns.includes(by) ? columns : [...columns, by];
      const rows = await this.sql.rows(
        `select ${selectionOf(metaOf(cls), selected)} from ${optionsOf(cls).table} r where r.${column} = any($1)${visible ? ` and ${visible}` : ''}`,
        values,
      );
      const found = new Map(rows.map((row) => [row[by], row]));
      return keys.map((id) => found.get(id) ?? null);
    });
  }

  /** A page of the rows that belong to a parent. */
  many(cls: RecordClass, by: Bond, parent: string, args: ListArgs, { columns, cursors }: Wanted): Promise<Page> {
    const name = `${cls.name} by ${bondName(by)} ${columns.join()} ${cursors} ${JSON.stringify(args)}`;
    return this.batch(name, (parents) => readPagesBy(this.sql, cls, by, parents, columns, args, cursors))(parent);
  }

  /** How many rows a list has in all; with `by` and `parent`, of those of the parent. */
  count(cls: RecordClass, filter: ListArgs['filter'], by?: Bond, parent?: string): Promise<number> {
    if (!by || parent === undefined) return count(this.sql, cls, filter);
    return this.batch(`${cls.name} count ${bondName(by)} ${JSON.stringify(filter)}`, (parents) =>
      countsBy(this.sql, cls, by, parents, filter),
    )(parent);
  }

  /** How often each value of a column stands in a list; with `by` and `parent`, in that of the parent. */
  tally(
    cls: RecordClass,
    field: string,
    filter: ListArgs['filter'],
    by?: Bond,
    parent?: string,
  ): Promise<ReadonlyMap<string, number>> {
    const name = `${cls.name} tally ${field} ${by ? bondName(by) : ''} ${JSON.stringify(filter)}`;
    return this.batch(name, (parents) => talliesBy(this.sql, cls, field, by ?? null, parents, filter))(parent ?? '');
  }
}
