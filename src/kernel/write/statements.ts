import { type Compilable, type Expression, type RawBuilder, sql as raw } from 'kysely';
import { columnOf, columnTypes, type FieldKind, type FieldMeta, metaOf, type RecordClass } from '../declare/meta.js';
import { objectMaker } from '../declare/object-maker.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import type { Selection } from '../read/selection.js';
import { building, every, fragment, place, type Statement, slot, statementOf, tellingActor } from '../statement.js';
import { isAsLeft, leaving } from './again.js';
import { isKept } from './given-values.js';

/** A row to write. `keys` are the columns, in the order of their values. `patched` are the columns to update in an existing row. */
export interface Write {
  readonly cls: RecordClass;
  readonly keys: readonly string[];
  readonly patched: readonly string[];
  /** Keys that identify the row. */
  readonly target: readonly string[];
  /**
   * SQL conditions on an existing row. Upserts name it by its table, other statements as `r`. Placeholders follow those of the values.
   */
  readonly conditions: readonly string[];
  /** Number of values. */
  readonly count: number;
  readonly returning: Selection;
}

const columnNamed = (cls: RecordClass, key: string): string => columnOf(metaOf(cls), key).column;

/** SQL of the new value of a column: the given value, or for a `mergedBy` list, the stored list merged with the given entries. */
function assigned(cls: RecordClass, key: string, held: Expression<unknown>, given: RawBuilder<unknown>) {
  const { mergedBy } = columnOf(metaOf(cls), key).field;
  return mergedBy ? raw`merged(${held}, ${given}::jsonb, ${raw.lit(mergedBy)})` : given;
}

/**
 * SQL of the new value of a column of an existing row. The user in a `doneAt` column changes only together with its instant.
 */
function stamped(
  cls: RecordClass,
  key: string,
  held: (key: string) => RawBuilder<unknown>,
  given: (key: string) => RawBuilder<unknown>,
  value: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { doneAt } = columnOf(metaOf(cls), key).field;
  if (!doneAt) return value;
  return raw`case when ${held(doneAt)} is distinct from ${given(doneAt)} then ${value} else ${held(key)} end`;
}

/** Kinds of columns that the database stores unchanged. No trigger changes their values. */
const verbatim: ReadonlySet<FieldKind> = new Set(['id', 'text', 'ref', 'values', 'flag', 'int', 'num', 'instant']);

/** Returned columns whose values are known from the write, with the index of the value. The database need not return them. */
function sentOf({ cls, keys, patched, target, returning }: Write): readonly (readonly [key: string, place: number])[] {
  const isSent = (key: string) => {
    const { kind, doneAt, isAdjusted } = columnOf(metaOf(cls), key).field;
    return verbatim.has(kind) && !doneAt && !isAdjusted && (patched.includes(key) || target.includes(key));
  };
  return returning.keys.filter(isSent).map((key) => [key, keys.indexOf(key)]);
}

/** Returned columns that only the database knows. */
const asked = (write: Write): readonly string[] => {
  const sent = new Set(sentOf(write).map(([key]) => key));
  return write.returning.keys.filter((key) => !sent.has(key));
};

/** Statement of a write, and a function that completes the returned row with the sent values. */
export interface WriteStatement {
  readonly statement: Statement;
  /**
   * Statement for a repeated write, if the row still has the version that the previous write created: it sets only the time. Its values are those
   * of the write and the version (`Left`). Null if a repeated write changes more than the time.
   */
  readonly again: Statement | null;
  readonly whole: (row: Row, values: readonly unknown[]) => Row;
}

/** Completes the row that a statement returned with the sent values. */
function wholeRow(write: Write): WriteStatement['whole'] {
  const sent = new Map(sentOf(write));
  const ofPlace = (place: number | undefined, key: string) =>
    place === undefined ? `from.row[${JSON.stringify(key)}]` : `from.values[${place}] ?? null`;
  const make = objectMaker<{ row: Row; values: readonly unknown[] }, Row>(
    write.returning.keys.map((key) => [key, ofPlace(sent.get(key), key)]),
  );
  return (row, values) => make({ row, values });
}

/** Cache key of a write. The number of patched keys suffices, because all other keys come last. */
const shapeOf = ({ cls, keys, patched, target, conditions, returning }: Write): string =>
  `${cls.name} ${keys.join()} ${patched.length} ${target.join()} ${conditions.join(' and ')} ${returning.number}`;

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each, index) => each === others[index]);

const hasShapeOf = (write: Write, other: Write): boolean =>
  write.returning === other.returning &&
  write.patched.length === other.patched.length &&
  isSame(write.keys, other.keys) &&
  isSame(write.target, other.target) &&
  isSame(write.conditions, other.conditions);

/**
 * Returns a function that creates the statement of a write. The latest statement of each record is cached, because most writes have the same
 * shape as the one before, and a comparison is faster than building the cache key.
 */
function statements(
  verb: string,
  build: (write: Write) => Compilable,
  row?: (cls: RecordClass) => string,
): (write: Write) => WriteStatement {
  const latest = new WeakMap<RecordClass, WriteStatement & { write: Write }>();
  return (write) => {
    const known = latest.get(write.cls);
    if (known && hasShapeOf(write, known.write)) return known;
    const shape = shapeOf(write);
    const statement = statementOf(`${verb} ${shape}`, () => build(write), { isShared: true });
    const again =
      row && isRepeatable(write.cls) ? statementOf(`${verb} again ${shape}`, () => patchingAgain(write, row(write.cls))) : null;
    const made = { write, statement, again, whole: wholeRow(write) };
    latest.set(write.cls, made);
    return made;
  };
}

const now = raw`clock_timestamp()`;
/** Columns that the service sets with every change. */
const kept = (cls: RecordClass, row: string): Record<string, unknown> => ({
  ...(isKept(metaOf(cls)) ? { updated_at: now } : {}),
  ...(optionsOf(cls).versioned ? { version: raw`${raw.ref(`${row}.version`)} + 1` } : {}),
});

const teller = tellingActor.as('$actor');

/** Whether a repeated write changes only the time: the record has no version counter and no audit. */
const isRepeatable = (cls: RecordClass): boolean => isKept(metaOf(cls)) && !optionsOf(cls).versioned && !optionsOf(cls).audited;

const left = (cls: RecordClass) => (isRepeatable(cls) ? leaving : []);

/** SQL conditions: the row has the values of the target. */
const isTarget = ({ cls, keys, target }: Write, row: string): string[] =>
  target.map((key) => `${row}.${columnNamed(cls, key)} = ${place(keys.indexOf(key) + 1)}`);

const patchingAgain = (write: Write, row: string) => {
  const { cls, conditions, count } = write;
  const { table } = optionsOf(cls);
  return building
    .updateTable(row === table ? table : `${table} as ${row}`)
    .set(kept(cls, row))
    .where(every([...isTarget(write, row), ...conditions]))
    .where(isAsLeft(count))
    .returning([...asked(write).map((key) => raw.ref(columnNamed(cls, key)).as(key)), ...leaving]);
};

function inserting(write: Write, marks: typeof leaving = []) {
  const { cls, keys } = write;
  const values = keys.map((key, index) => [columnNamed(cls, key), assigned(cls, key, raw`'[]'`, slot(index + 1))]);
  return building
    .insertInto(optionsOf(cls).table)
    .values(Object.fromEntries(values))
    .returning([...asked(write).map((key) => raw.ref(columnNamed(cls, key)).as(key)), ...marks, teller]);
}

/** Inserts the row. The values are those of the keys. */
export const insertStatement = statements('insert', (write) => inserting(write));

/** Inserts the row or patches the existing one, in one statement, so that concurrent upserts with one ID result in one row. */
export const upsertStatement = statements(
  'upsert',
  (write) => {
    const { cls, keys, patched, target, conditions } = write;
    const held = (key: string) => raw.ref(`${optionsOf(cls).table}.${columnNamed(cls, key)}`);
    // By placeholder and not as `excluded`, because PostgreSQL copies that text on each run.
    const given = (key: string) => slot(keys.indexOf(key) + 1);
    const set = (patched.length ? patched : target).map((key) => [
      columnNamed(cls, key),
      stamped(cls, key, held, given, assigned(cls, key, held(key), given(key))),
    ]);
    return inserting(write, left(cls)).onConflict((conflict) => {
      const there = conflict
        .columns(target.map((key) => columnNamed(cls, key)))
        .doUpdateSet({ ...Object.fromEntries(set), ...kept(cls, optionsOf(cls).table) });
      return conditions.length ? there.where(every(conditions)) : there;
    });
  },
  (cls) => optionsOf(cls).table,
);

/** Patches the row with the values of the target. The values are those of the keys, which include the target. */
export const updateStatement = statements(
  'update',
  (write) => {
    const { cls, keys, patched, conditions } = write;
    const held = (key: string) => raw.ref(`r.${columnNamed(cls, key)}`);
    const given = (key: string) => slot(keys.indexOf(key) + 1);
    const set = patched.map((key) => [
      columnNamed(cls, key),
      stamped(cls, key, held, given, assigned(cls, key, held(key), given(key))),
    ]);
    const changes = { ...Object.fromEntries(set), ...kept(cls, 'r') };
    return building
      .updateTable(`${optionsOf(cls).table} as r`)
      .set(Object.keys(changes).length ? changes : { id: raw.ref('r.id') })
      .where(every([...isTarget(write, 'r'), ...conditions]))
      .returning([...asked(write).map((key) => held(key).as(key)), ...left(cls), teller]);
  },
  () => 'r',
);

/** A value to compare. Clients without null send an empty text or 0 back for an unset value. */
function comparable({ kind }: FieldMeta, value: RawBuilder<unknown>): RawBuilder<unknown> {
  const typed = raw`${value}::${raw.raw(columnTypes[kind])}`;
  if (kind === 'int' || kind === 'num' || kind === 'money') return raw`coalesce(${typed}, 0)`;
  if (kind === 'ref') return raw`coalesce(nullif(${typed}, ''), '0')`;
  return kind === 'text' ? raw`nullif(${typed}, '')` : typed;
}

/** Reads the row with the values of the target, if it also has all other values of the write. */
export const repeatedStatement = (write: Write): Statement =>
  statementOf(`repeated ${shapeOf(write)}`, () => {
    const { cls, keys, target, returning } = write;
    const others = keys.map((key, index) => {
      if (target.includes(key)) return null;
      const { field, column } = columnOf(metaOf(cls), key);
      const held = raw`${raw.ref(`r.${column}`)}`;
      const given = raw`${assigned(cls, key, held, slot(index + 1))}`;
      return raw<boolean>`${comparable(field, held)} is not distinct from ${comparable(field, given)}`;
    });
    const row = building
      .selectFrom(`${optionsOf(cls).table} as r`)
      .select(returning.columns)
      .where(every(isTarget(write, 'r')));
    return others.reduce((query, isSame) => (isSame ? query.where(isSame) : query), row);
  });

/** Deletes the row whose ID is the first value. */
export const deleteStatement = (cls: RecordClass, conditions: readonly string[], returning: Selection): Statement =>
  statementOf(`delete ${cls.name} ${conditions.join(' and ')} ${returning.number}`, () =>
    building
      .deleteFrom(`${optionsOf(cls).table} as r`)
      .where(every([`r.id = ${place(1)}`, ...conditions]))
      .returning([...returning.columns, teller]),
  );

/** Deletes all rows that have the first value in a column. */
export const deleteByStatement = (cls: RecordClass, by: string, returning: Selection): Statement =>
  statementOf(`delete by ${cls.name} ${by} ${returning.number}`, () =>
    building
      .deleteFrom(`${optionsOf(cls).table} as r`)
      .where(fragment(`r.${columnNamed(cls, by)} = ${place(1)}`))
      .returning([...returning.columns, teller]),
  );
