import { type Compilable, type Expression, type RawBuilder, sql as raw } from 'kysely';
import { columnOf, columnTypes, type FieldKind, type FieldMeta, metaOf, type RecordClass } from '../declare/meta.js';
import { objectMaker } from '../declare/object-maker.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import type { Selection } from '../read/selection.js';
import { building, every, fragment, place, type Statement, slot, statementOf, tellingActor } from '../statement.js';
import { isAsLeft, leaving } from './again.js';
import { isKept } from './given-values.js';

/** A row to write: keys of columns, in the order of their values; those that a row which is there already keeps are not patched. */
export interface Write {
  readonly cls: RecordClass;
  readonly keys: readonly string[];
  readonly patched: readonly string[];
  /** Keys by which a row is the same one. */
  readonly target: readonly string[];
  /** SQL that has to hold for a row that is there, in an upsert by the table's name and else by `r`; its places come behind those of the values. */
  readonly conditions: readonly string[];
  /** How many values it has. */
  readonly count: number;
  readonly returning: Selection;
}

const columnNamed = (cls: RecordClass, key: string): string => columnOf(metaOf(cls), key).column;

/** What a column is set to: the value, or for a list that patches merge into, what it holds changed by the entries given. */
function assigned(cls: RecordClass, key: string, held: Expression<unknown>, given: RawBuilder<unknown>) {
  const { mergedBy } = columnOf(metaOf(cls), key).field;
  return mergedBy ? raw`merged(${held}, ${given}::jsonb, ${raw.lit(mergedBy)})` : given;
}

/** The same of a row that is there: who set an instant is somebody else only where that is another one. */
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

/** Kinds of columns that keep what they are sent as it is, whose triggers are all of the log: nothing makes another value of it. */
const verbatim: ReadonlySet<FieldKind> = new Set(['id', 'text', 'ref', 'values', 'flag', 'int', 'num', 'instant']);

/** Of what a write is to return, where the values stand that it is known to have left in the row: they were sent and need not come back. */
function sentOf({ cls, keys, patched, target, returning }: Write): readonly (readonly [key: string, place: number])[] {
  const isSent = (key: string) => {
    const { kind, doneAt, isAdjusted } = columnOf(metaOf(cls), key).field;
    return verbatim.has(kind) && !doneAt && !isAdjusted && (patched.includes(key) || target.includes(key));
  };
  return returning.keys.filter(isSent).map((key) => [key, keys.indexOf(key)]);
}

/** Of what a write is to return, what only the database knows. */
const asked = (write: Write): readonly string[] => {
  const sent = new Set(sentOf(write).map(([key]) => key));
  return write.returning.keys.filter((key) => !sent.has(key));
};

/** A statement of a write, and how the row that it returns becomes whole, by its values. */
export interface WriteStatement {
  readonly statement: Statement;
  /**
   * Patches the row where it is as the same write left it: only the time of the write is another one. Its values are those of the write, and the
   * version left (`Left`). Null where a write that is the same changes more than that.
   */
  readonly again: Statement | null;
  readonly whole: (row: Row, values: readonly unknown[]) => Row;
}

/** Makes the whole row of what a statement returned and what was sent. */
function wholeRow(write: Write): WriteStatement['whole'] {
  const sent = new Map(sentOf(write));
  const ofPlace = (place: number | undefined, key: string) =>
    place === undefined ? `from.row[${JSON.stringify(key)}]` : `from.values[${place}] ?? null`;
  const make = objectMaker<{ row: Row; values: readonly unknown[] }, Row>(
    write.returning.keys.map((key) => [key, ofPlace(sent.get(key), key)]),
  );
  return (row, values) => make({ row, values });
}

/** Of the keys the patched ones follow from the target and how many there are: the others come last. */
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
 * The statement of a write, by its verb. Most writes of a record look like the one before, and to see that they do is quicker than to put
 * their shape into words.
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
/** What the service keeps of every change. */
const kept = (cls: RecordClass, row: string): Record<string, unknown> => ({
  ...(isKept(metaOf(cls)) ? { updated_at: now } : {}),
  ...(optionsOf(cls).versioned ? { version: raw`${raw.ref(`${row}.version`)} + 1` } : {}),
});

const teller = tellingActor.as('$actor');

/** Whether of a write that is the same again only its time is another: it is counted by no version, and noted by no audit. */
const isRepeatable = (cls: RecordClass): boolean => isKept(metaOf(cls)) && !optionsOf(cls).versioned && !optionsOf(cls).audited;

const left = (cls: RecordClass) => (isRepeatable(cls) ? leaving : []);

/** That a row is the one that has the values of the target. */
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

/** Makes the row; the values are those of the keys. */
export const insertStatement = statements('insert', (write) => inserting(write));

/** Makes the row, or patches the one that is there: in one statement, so that concurrent ones of one id end in one row. */
export const upsertStatement = statements(
  'upsert',
  (write) => {
    const { cls, keys, patched, target, conditions } = write;
    const held = (key: string) => raw.ref(`${optionsOf(cls).table}.${columnNamed(cls, key)}`);
    // By its place and not as `excluded`: the server copies the text each time it runs.
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

/** Patches the row that has the values of the target; the values are those of the keys, which hold the target's. */
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

/** Reads the row that has the values of the target, if it has all other values of the write, too. */
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

/** Deletes the row with the id that is the first value. */
export const deleteStatement = (cls: RecordClass, conditions: readonly string[], returning: Selection): Statement =>
  statementOf(`delete ${cls.name} ${conditions.join(' and ')} ${returning.number}`, () =>
    building
      .deleteFrom(`${optionsOf(cls).table} as r`)
      .where(every([`r.id = ${place(1)}`, ...conditions]))
      .returning([...returning.columns, teller]),
  );

/** Deletes every row with the first value in a column. */
export const deleteByStatement = (cls: RecordClass, by: string, returning: Selection): Statement =>
  statementOf(`delete by ${cls.name} ${by} ${returning.number}`, () =>
    building
      .deleteFrom(`${optionsOf(cls).table} as r`)
      .where(fragment(`r.${columnNamed(cls, by)} = ${place(1)}`))
      .returning([...returning.columns, teller]),
  );
