import { type Compilable, type Expression, type RawBuilder, sql as raw, type SqlBool } from 'kysely';
import { Shape, type SqlExpression } from '../declare/expression.js';
import { columnOf, columnTypes, type FieldKind, type FieldMeta, metaOf, type RecordClass } from '../declare/meta.js';
import { objectMaker } from '../declare/object-maker.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import type { Selection } from '../read/selection.js';
import { allConditions, placeholder, queryBuilder, type Statement, setActorColumn, statementOf } from '../statement.js';
import { isTracked } from './column-values.js';
import { hasVersion, versionColumns } from './repeated-writes.js';

/**
 * Describes how to write a row. `keys` lists the columns to write, in the same order as their values. `patchKeys` lists the columns to
 * update if the row already exists.
 */
export interface Write {
  readonly cls: RecordClass;
  readonly keys: readonly string[];
  readonly patchKeys: readonly string[];
  /** Keys of the columns that identify the row. */
  readonly target: readonly string[];
  /**
   * Conditions on an existing row. The alias of the row is the name of the table in upserts, and `r` in other writes. The values of the
   * conditions follow the values of the columns.
   */
  readonly conditions: readonly SqlExpression[];
  /** Shape key of the conditions. */
  readonly conditionKey: string;
  /** Number of values that the write sends. */
  readonly count: number;
  readonly returning: Selection;
}

const columnNamed = (cls: RecordClass, key: string): string => columnOf(metaOf(cls), key).column;

/** Returns SQL for the value to write to a column. Lists with `mergeKey` are merged with the stored list. */
function assignedValue(cls: RecordClass, key: string, storedValue: Expression<unknown>, newValue: RawBuilder<unknown>) {
  const { mergeKey } = columnOf(metaOf(cls), key).field;
  return mergeKey ? raw`merge_by_key(${storedValue}, ${newValue}::jsonb, ${raw.lit(mergeKey)})` : newValue;
}

/** Returns SQL for the new value of a column in an existing row. A column with `instantField` changes only together with its instant. */
function updatedValue(
  cls: RecordClass,
  key: string,
  storedValue: (key: string) => RawBuilder<unknown>,
  newValue: (key: string) => RawBuilder<unknown>,
  value: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { instantField } = columnOf(metaOf(cls), key).field;
  if (!instantField) return value;
  return raw`case when ${storedValue(instantField)} is distinct from ${newValue(instantField)} then ${value} else ${storedValue(key)} end`;
}

/** Kinds of columns whose values the database stores unchanged. */
const unchangedKinds: ReadonlySet<FieldKind> = new Set(['id', 'text', 'ref', 'values', 'flag', 'int', 'num', 'instant']);

/**
 * Returns the requested columns whose values are sent with the write, with the index of each value. The database does not return these
 * columns.
 */
function sentColumns({ cls, keys, patchKeys, target, returning }: Write): readonly (readonly [key: string, index: number])[] {
  const isSent = (key: string) => {
    const { kind, instantField, isChangedByTrigger } = columnOf(metaOf(cls), key).field;
    return unchangedKinds.has(kind) && !instantField && !isChangedByTrigger && (patchKeys.includes(key) || target.includes(key));
  };
  return returning.keys.filter(isSent).map((key) => [key, keys.indexOf(key)]);
}

/** Returns the requested columns that the database must return. */
const databaseColumns = (write: Write): readonly string[] => {
  const sentKeys = new Set(sentColumns(write).map(([key]) => key));
  return write.returning.keys.filter((key) => !sentKeys.has(key));
};

/** Statement for a write, and a function that adds the sent values to the returned row. */
export interface WriteStatement {
  readonly statement: Statement;
  /**
   * Statement for a repeated write. It updates only the time, provided that the row still has the version that the previous write created.
   * Its values are those of the write, followed by the version (`RowVersion`). Null if a repeated write changes more than the time.
   */
  readonly repeatStatement: Statement | null;
  readonly completeRow: (row: Row, values: readonly unknown[]) => Row;
}

/** Compiles a function that adds the sent values to a returned row. */
function rowCompleter(write: Write): WriteStatement['completeRow'] {
  const valueIndexes = new Map(sentColumns(write));
  const valueExpression = (index: number | undefined, key: string) =>
    index === undefined ? `from.row[${JSON.stringify(key)}]` : `from.values[${index}] ?? null`;
  const createRow = objectMaker<{ row: Row; values: readonly unknown[] }, Row>(
    write.returning.keys.map((key) => [key, valueExpression(valueIndexes.get(key), key)]),
  );
  return (row, values) => createRow({ row, values });
}

/** Returns an empty shape for the expressions of a write. The values of these expressions follow the values of the columns. */
export const keyShape = (keys: readonly string[]): Shape => new Shape(keys.map(() => undefined));

/** Returns the shape of a write. It contains only the number of `patchKeys`, because the keys of all other columns come last. */
const shapeOf = (verb: string, { cls, keys, patchKeys, target, conditions, returning }: Write): Shape =>
  keyShape(keys).add(verb, cls.name, keys.join(), patchKeys.length, target.join(), conditions, returning.number);

const areEqual = (items: readonly string[], otherItems: readonly string[]): boolean =>
  items.length === otherItems.length && items.every((item, index) => item === otherItems[index]);

const hasSameShape = (write: Write, other: Write): boolean =>
  write.returning === other.returning &&
  write.patchKeys.length === other.patchKeys.length &&
  areEqual(write.keys, other.keys) &&
  areEqual(write.target, other.target) &&
  write.conditionKey === other.conditionKey;

/**
 * Returns a function that returns the statement for a write. Caches the latest statement of each record, because most writes have the same
 * shape as the previous one. Comparing two shapes is faster than building the cache key.
 */
function cachedStatements(
  verb: string,
  build: (write: Write) => Compilable,
  row?: (cls: RecordClass) => string,
): (write: Write) => WriteStatement {
  const latestStatements = new WeakMap<RecordClass, WriteStatement & { write: Write }>();
  return (write) => {
    const cached = latestStatements.get(write.cls);
    if (cached && hasSameShape(write, cached.write)) return cached;
    const statement = statementOf(shapeOf(verb, write), () => build(write), { deduplicatesValues: true });
    const repeatStatement =
      row && isRepeatable(write.cls)
        ? statementOf(shapeOf(`${verb} again`, write), () => repeatQuery(write, row(write.cls)))
        : null;
    const result = { write, statement, repeatStatement, completeRow: rowCompleter(write) };
    latestStatements.set(write.cls, result);
    return result;
  };
}

const now = raw`clock_timestamp()`;
/** Returns the columns that the service sets with every change. */
const trackedColumns = (cls: RecordClass, row: string): Record<string, unknown> => ({
  ...(isTracked(metaOf(cls)) ? { updated_at: now } : {}),
  ...(optionsOf(cls).versioned ? { version: raw`${raw.ref(`${row}.version`)} + 1` } : {}),
});

const actorColumn = setActorColumn.as('$actor');

/** Whether a repeated write of a record changes only the time. Records with a version counter or an audit trail are excluded. */
const isRepeatable = (cls: RecordClass): boolean =>
  isTracked(metaOf(cls)) && !optionsOf(cls).versioned && !optionsOf(cls).audited;

const returnedVersion = (cls: RecordClass) => (isRepeatable(cls) ? versionColumns : []);

/** Returns the SQL conditions that identify the row by its `target` columns. */
const targetConditions = ({ cls, keys, target }: Write, row: string): RawBuilder<SqlBool>[] =>
  target.map((key) => raw`${raw.raw(`${row}.${columnNamed(cls, key)}`)} = ${placeholder(keys.indexOf(key) + 1)}`);

const repeatQuery = (write: Write, row: string) => {
  const { cls, conditions, count } = write;
  const { table } = optionsOf(cls);
  return queryBuilder
    .updateTable(row === table ? table : `${table} as ${row}`)
    .set(trackedColumns(cls, row))
    .where(allConditions([...targetConditions(write, row), ...conditions]))
    .where(hasVersion(count))
    .returning([...databaseColumns(write).map((key) => raw.ref(columnNamed(cls, key)).as(key)), ...versionColumns]);
};

function insertQuery(write: Write, versionColumnList: typeof versionColumns = []) {
  const { cls, keys } = write;
  const values = keys.map((key, index) => [columnNamed(cls, key), assignedValue(cls, key, raw`'[]'`, placeholder(index + 1))]);
  return queryBuilder
    .insertInto(optionsOf(cls).table)
    .values(Object.fromEntries(values))
    .returning([
      ...databaseColumns(write).map((key) => raw.ref(columnNamed(cls, key)).as(key)),
      ...versionColumnList,
      actorColumn,
    ]);
}

/** Returns the statement that inserts a row. Its values are in the order of the keys. */
export const insertStatement = cachedStatements('insert', (write) => insertQuery(write));

/** Returns the statement that inserts a row or patches an existing one. Concurrent upserts with one ID result in one row. */
export const upsertStatement = cachedStatements(
  'upsert',
  (write) => {
    const { cls, keys, patchKeys, target, conditions } = write;
    const storedValue = (key: string) => raw.ref(`${optionsOf(cls).table}.${columnNamed(cls, key)}`);
    // `excluded` is not used, because PostgreSQL copies its text values on each run.
    const newValue = (key: string) => placeholder(keys.indexOf(key) + 1);
    const assignments = (patchKeys.length ? patchKeys : target).map((key) => [
      columnNamed(cls, key),
      updatedValue(cls, key, storedValue, newValue, assignedValue(cls, key, storedValue(key), newValue(key))),
    ]);
    return insertQuery(write, returnedVersion(cls)).onConflict((conflict) => {
      const upsertQuery = conflict
        .columns(target.map((key) => columnNamed(cls, key)))
        .doUpdateSet({ ...Object.fromEntries(assignments), ...trackedColumns(cls, optionsOf(cls).table) });
      return conditions.length ? upsertQuery.where(allConditions(conditions)) : upsertQuery;
    });
  },
  (cls) => optionsOf(cls).table,
);

/**
 * Returns the statement that patches the row that the `target` columns identify. Its values are in the order of the keys, which include the
 * target.
 */
export const updateStatement = cachedStatements(
  'update',
  (write) => {
    const { cls, keys, patchKeys, conditions } = write;
    const storedValue = (key: string) => raw.ref(`r.${columnNamed(cls, key)}`);
    const newValue = (key: string) => placeholder(keys.indexOf(key) + 1);
    const assignments = patchKeys.map((key) => [
      columnNamed(cls, key),
      updatedValue(cls, key, storedValue, newValue, assignedValue(cls, key, storedValue(key), newValue(key))),
    ]);
    const changes = { ...Object.fromEntries(assignments), ...trackedColumns(cls, 'r') };
    return queryBuilder
      .updateTable(`${optionsOf(cls).table} as r`)
      .set(Object.keys(changes).length ? changes : { id: raw.ref('r.id') })
      .where(allConditions([...targetConditions(write, 'r'), ...conditions]))
      .returning([...databaseColumns(write).map((key) => storedValue(key).as(key)), ...returnedVersion(cls), actorColumn]);
  },
  () => 'r',
);

/**
 * Returns a value for comparisons. Empty text and 0 are equivalent to an unset value, because the legacy interface sends them for unset
 * values.
 */
function comparableValue({ kind }: FieldMeta, value: RawBuilder<unknown>): RawBuilder<unknown> {
  const typedValue = raw`${value}::${raw.raw(columnTypes[kind])}`;
  if (kind === 'int' || kind === 'num' || kind === 'money') return raw`coalesce(${typedValue}, 0)`;
  if (kind === 'ref') return raw`coalesce(nullif(${typedValue}, ''), '0')`;
  return kind === 'text' ? raw`nullif(${typedValue}, '')` : typedValue;
}

/** Returns the statement that reads the row that the `target` columns identify, if it also has all other values of the write. */
export const selectUnchangedRowStatement = (write: Write): Statement =>
  statementOf(shapeOf('repeated', write), () => {
    const { cls, keys, target, returning } = write;
    const comparisons = keys.map((key, index) => {
      if (target.includes(key)) return null;
      const { field, column } = columnOf(metaOf(cls), key);
      const storedValue = raw`${raw.ref(`r.${column}`)}`;
      const newValue = raw`${assignedValue(cls, key, storedValue, placeholder(index + 1))}`;
      return raw<boolean>`${comparableValue(field, storedValue)} is not distinct from ${comparableValue(field, newValue)}`;
    });
    const row = queryBuilder
      .selectFrom(`${optionsOf(cls).table} as r`)
      .select(returning.columns)
      .where(allConditions(targetConditions(write, 'r')));
    return comparisons.reduce((query, isSame) => (isSame ? query.where(isSame) : query), row);
  });

/** Returns the statement that deletes the rows that meet the conditions, and its values. */
export function deleteStatement(
  cls: RecordClass,
  conditions: readonly SqlExpression[],
  returning: Selection,
): [statement: Statement, values: unknown[]] {
  const shape = new Shape().add('delete', cls.name, conditions, returning.number);
  const query = () =>
    queryBuilder
      .deleteFrom(`${optionsOf(cls).table} as r`)
      .where(allConditions(conditions))
      .returning([...returning.columns, actorColumn]);
  return [statementOf(shape, query), shape.values];
}
