import DataLoader from 'dataloader';
import { createError, nulMessage } from '../../declare/errors.js';
import { expression, mainRow, parameter, Shape } from '../../declare/expression.js';
import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import type { Row, RowOf, RowsById } from '../../declare/row.js';
import { toNfc } from '../../declare/scalars/text.js';
import type { Session } from '../../session.js';
import { allConditions, queryBuilder, statementOf } from '../../statement.js';
import { tracing } from '../../tracing.js';
import { visibleRows } from '../conditions/visible.js';
import { constantRows } from '../constant-rows.js';
import { type ListArgs, type Page, readPagesBy } from '../list.js';
import type { ListSelection } from '../select.js';
import { type SelectedRelation, type Selection, type SelectionOrKeys, selectionFor } from '../selection.js';
import { countMatchingRows, countsByParent, valueCountsByParent } from './counts.js';
import { type Join, joinName } from './join.js';

/** Pending batch that reads rows of a record by ID. */
interface PendingRows {
  readonly ids: Set<string>;
  readonly rows: Promise<RowsById>;
}

/** DataLoaders of one request. They run one statement for each level of relations, regardless of the number of parents. */
export class Loaders {
  readonly #loaders = new Map<string, unknown>();
  /** Pages whose loading started in the current tick. */
  #pendingPages: { pages: Promise<unknown>[]; allSettled: Promise<unknown> } | null = null;
  /** Pending batches of the current tick, keyed by selection. */
  readonly #pendingRows = new Map<Selection, PendingRows>();

  constructor(readonly sql: Session) {}

  /** Clears all loaders. Called after a write. */
  clear(): void {
    this.#loaders.clear();
  }

  /** Returns the loader with the given name. The first call creates it. */
  #loader<K, T>(name: string, create: () => DataLoader<K, T>): DataLoader<K, T> {
    const existingLoader = this.#loaders.get(name) as DataLoader<K, T> | undefined;
    const loader = existingLoader ?? create();
    if (!existingLoader) this.#loaders.set(name, loader);
    return loader;
  }

  /**
   * Returns a function that loads a value by key. Calls with the same name and variant are batched. Used for relations that a module
   * computes. The name appears in traces, so it must not contain values from the request. `variant` may contain them.
   */
  batchLoader<T>(
    name: string,
    read: (keys: string[]) => Promise<T[]>,
    variant: string | number = '',
  ): (key: string) => Promise<T> {
    const loader = this.#loader(
      `${name} ${variant}`,
      () =>
        new DataLoader<string, T>((keys) =>
          tracing ? tracing.batch(name, keys.length, () => read([...keys])) : read([...keys]),
        ),
    );
    return (key) => loader.load(key);
  }

  /**
   * Loads the row with the given value in a unique column, by default `id`. Null if there is no such row. All such columns except `id` are
   * stored in NFC. Rejects a value with NUL, because PostgreSQL would reject all values of the batch.
   */
  loadRow<T extends object, K extends string>(
    cls: RecordClass<T>,
    keys: SelectionOrKeys<K>,
    value: string,
    column = 'id',
  ): Promise<RowOf<T, K> | null> {
    if (value.includes('\0')) return Promise.reject(createError('BAD_INPUT', nulMessage));
    if (column === 'id' && optionsOf(cls).constant) return this.#loadConstantRow(cls, value);
    const selection = selectionFor(cls, keys);
    const read = async (values: string[]) => {
      const rows = await this.#rowsBy(cls, selection, column, values);
      return values.map((value) => (rows.get(value) as RowOf<T, K> | undefined) ?? null);
    };
    return this.batchLoader(`${cls.name} by ${column}`, read, selection.number)(column === 'id' ? value : toNfc(value));
  }

  async #loadConstantRow<T extends object, K extends string>(cls: RecordClass<T>, id: string): Promise<RowOf<T, K> | null> {
    return ((await constantRows(this.sql, cls)).get(id) as RowOf<T, K> | undefined) ?? null;
  }

  async #rowsBy(cls: RecordClass, selection: Selection, column: string, values: readonly string[]): Promise<RowsById> {
    // PostgreSQL plans a statement for a short list of keys on every execution, but it plans a statement for a single key only once.
    const [singleValue] = values.length === 1 ? values : [];
    const visible = visibleRows(cls, this.sql.caller, mainRow);
    const key = singleValue === undefined ? expression`any(${parameter(values)})` : parameter(singleValue);
    const hasKey = expression`${mainRow.column(columnOf(metaOf(cls), column).column)} = ${key}`;
    const conditions = visible ? [hasKey, visible] : [hasKey];
    const shape = new Shape().add('rows', cls.name, column, selection.number, conditions);
    const statement = statementOf(shape, () =>
      queryBuilder
        .selectFrom(`${optionsOf(cls).table} as r`)
        .select(selection.withColumns(column).columns)
        .where(allConditions(conditions)),
    );
    const rows = new Map<unknown, Row>();
    for (const row of await this.sql.statement(statement, shape.values)) rows.set(row[column], row);
    return rows;
  }

  /** Loads a page of the rows that belong to a parent, with their selected to-one relations. */
  loadPage(cls: RecordClass, join: Join, parent: string, args: ListArgs, { selection, cursors }: ListSelection): Promise<Page> {
    const read = async (parents: string[]) => {
      const pages = await this.#waitForPages(readPagesBy(this.sql, cls, join, parents, selection, args, cursors));
      await this.loadRelations(
        selection,
        pages.flatMap(({ rows }) => rows),
      );
      return pages;
    };
    const variant = `${selection.number} ${cursors} ${JSON.stringify(args)}`;
    return this.batchLoader(`list of ${cls.name} by ${joinName(join)}`, read, variant)(parent);
  }

  /** Waits for all pages whose loading started in the current tick, so that their to-one relations are loaded in the same batches. */
  async #waitForPages<T>(pages: Promise<T>): Promise<T> {
    this.#pendingPages ??= this.#newPages();
    const { pages: pendingPages, allSettled } = this.#pendingPages;
    pendingPages.push(pages);
    await allSettled;
    return pages;
  }

  #newPages() {
    const pages: Promise<unknown>[] = [];
    const allSettled = new Promise((resolve) => {
      process.nextTick(() => {
        this.#pendingPages = null;
        resolve(Promise.allSettled(pages));
      });
    });
    return { pages, allSettled };
  }

  /**
   * Loads the selected to-one relations of rows and stores the related rows in these rows, so that the resolvers of the relations need no
   * promise. Relations with the same record and selection share one statement. Relations that the caller may not read are skipped, and
   * their resolvers throw.
   */
  async loadRelations({ relations }: Selection, rows: readonly Row[]): Promise<void> {
    if (relations.length === 0 || rows.length === 0) return;
    const groups = Map.groupBy(relations, ({ target, selection }) => (optionsOf(target).constant ? target : selection));
    await Promise.all([...groups.values()].map((group) => this.#loadRelationGroup(group, rows)));
  }

  async #loadRelationGroup(group: readonly SelectedRelation[], rows: readonly Row[]): Promise<void> {
    const [firstRelation] = group;
    if (!firstRelation || !optionsOf(firstRelation.target).read.some((policy) => policy.permitsCaller(this.sql.caller))) return;
    const relatedRows = await this.#relatedRows(firstRelation, group, rows);
    for (const { property, foreignKey } of group)
      for (const row of rows) row[property] = relatedRows.get(row[foreignKey]) ?? null;
  }

  /** Loads related rows by ID, with their selected to-one relations. */
  async #relatedRows(
    { target, selection }: SelectedRelation,
    group: readonly SelectedRelation[],
    rows: readonly Row[],
  ): Promise<RowsById> {
    if (optionsOf(target).constant) return constantRows(this.sql, target);
    const ids = new Set<string>();
    for (const { foreignKey } of group)
      for (const row of rows) {
        const id = row[foreignKey];
        if (typeof id === 'string' && id !== '') ids.add(id);
      }
    return ids.size === 0 ? new Map() : this.#readInBatch(target, selection, ids);
  }

  /** Reads rows by ID, with their selected to-one relations. Calls in the same tick share one statement. */
  #readInBatch(target: RecordClass, selection: Selection, ids: ReadonlySet<string>): Promise<RowsById> {
    const pending = this.#pendingRows.get(selection);
    if (pending) {
      for (const id of ids) pending.ids.add(id);
      return pending.rows;
    }
    const batchIds = new Set(ids);
    const read = async () => {
      // Waits one tick, so that other calls can add their IDs.
      await null;
      this.#pendingRows.delete(selection);
      const find = () => this.#rowsBy(target, selection, 'id', [...batchIds]);
      const rowsById = await (tracing ? tracing.batch(`${target.name} by id`, batchIds.size, find) : find());
      await this.loadRelations(selection, [...rowsById.values()]);
      return rowsById;
    };
    const rows = read();
    this.#pendingRows.set(selection, { ids: batchIds, rows });
    return rows;
  }

  /** Returns the total number of rows in a list. If `join` and `parent` are given, counts only the rows of that parent. */
  count(cls: RecordClass, filter: ListArgs['filter'], join?: Join, parent?: string): Promise<number> {
    if (!join || parent === undefined) return countMatchingRows(this.sql, cls, filter);
    const read = (parents: string[]) => countsByParent(this.sql, cls, join, parents, filter);
    return this.batchLoader(`count of ${cls.name} by ${joinName(join)}`, read, JSON.stringify(filter))(parent);
  }

  /**
   * Returns the number of rows in a list for each value of a column. If `join` and `parent` are given, counts only the rows of that parent.
   */
  countByValue(
    cls: RecordClass,
    field: string,
    filter: ListArgs['filter'],
    join?: Join,
    parent?: string,
  ): Promise<ReadonlyMap<string, number>> {
    const read = (parents: string[]) => valueCountsByParent(this.sql, cls, field, join ?? null, parents, filter);
    const name = `tally of ${cls.name} ${field}${join ? ` by ${joinName(join)}` : ''}`;
    return this.batchLoader(name, read, JSON.stringify(filter))(parent ?? '');
  }
}

declare module '../../declare/context.js' {
  interface Context {
    readonly loaders: Loaders;
  }
}
