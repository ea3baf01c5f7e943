import { uuidv7 } from 'uuidv7';
import type { Context } from './context.js';
import { fail, reject } from './errors.js';
import { checkedColumns, forDatabase, valuesOf } from './input.js';
import { selectionOf } from './list.js';
import { columnOf, metaOf, type RecordClass, type RecordMeta } from './meta.js';
import { optionsOf, type Values } from './record.js';
import { type Row, violatedConstraint } from './sql.js';

/** How a row that is already there is treated. */
type Conflict = 'fail' | 'update';

/** What a column is set to: the value, or for a list that patches merge into, what it holds changed by the entries given. */
function assigned(meta: RecordMeta, key: string, held: string, param: string, value = param): string {
  const { mergedBy } = columnOf(meta, key).field;
  return mergedBy ? `merged(${held}, ${param}::jsonb, '${mergedBy}')` : value;
}

/** Texts of inserts by what they return and then by what they set: they take longer to write than to look up. */
const texts = new WeakMap<readonly string[], Map<string, string>>();

function insertText(
  cls: RecordClass,
  keys: readonly string[],
  patched: readonly string[],
  target: readonly string[],
  conflict: Conflict,
  returning: readonly string[],
): string {
  const meta = metaOf(cls);
  const columns = (of: readonly string[]) => of.map((key) => columnOf(meta, key).column).join(', ');
  const values = keys.map((key, index) => assigned(meta, key, `'[]'`, `$${index + 1}`));
  const set = (patched.length ? patched : target).map((key) => {
    const { column } = columnOf(meta, key);
    return `${column} = ${assigned(meta, key, `r.${column}`, `$${keys.indexOf(key) + 1}`, `excluded.${column}`)}`;
  });
  const action = conflict === 'update' ? ` on conflict (${columns(target)}) do update set ${set.join(', ')}` : '';
  return `insert into ${optionsOf(cls).table} as r (${columns(keys)}) values (${values.join(', ')})${action} returning ${selectionOf(meta, returning)}`;
}

async function insert(
  context: Context,
  cls: RecordClass,
  values: Values,
  once: Values,
  target: readonly string[],
  conflict: Conflict,
  returning: readonly string[],
) {
  const meta = metaOf(cls);
  const all = { ...values, ...once };
  const keys = Object.keys(all);
  const patched = Object.keys(values).filter((key) => key !== 'id' && !target.includes(key));
  const known = texts.get(returning) ?? new Map<string, string>();
  texts.set(returning, known);
  const shape = `${cls.name} ${conflict} ${target.join()} ${keys.join()} ${patched.join()}`;
  const text = known.get(shape) ?? insertText(cls, keys, patched, target, conflict, returning);
  if (known.size < 100) known.set(shape, text);
  return context.sql.row(
    text,
    keys.map((key) => forDatabase(meta, key, all[key])),
  );
}

/** Runs a write of a row; when it changes what the record watches, `onChange` follows in the same transaction. */
function watched<T>(context: Context, cls: RecordClass, id: unknown, values: Values, work: () => Promise<T>): Promise<T> {
  const { onChange, table } = optionsOf(cls);
  if (!onChange?.of.some((key) => values[key] !== undefined) || id === undefined) return work();
  const text = `select ${selectionOf(metaOf(cls), ['id', ...onChange.of])} from ${table} r where r.id = $1`;
  return context.sql.transaction(async () => {
    const before = await context.sql.row(`${text} for update`, [id]);
    const row = await work();
    const after = before && (await context.sql.row(text, [id]));
    if (after && onChange.of.some((key) => before[key] !== after[key])) await onChange.follow(before, after, context);
    return row;
  });
}

const attempts = 5;

/** What two rows would have in common: `sponsor_image_pkey` says the id, `tournament_code_unique` the code. */
const sharedBy = (constraint: string, table: string): string =>
  constraint.replace(`${table}_`, '').replace(/_?(pkey|unique)$/, '') || 'id';

/**
 * Creates a row, or with `upsert` updates the one with the same id or natural key, in one statement: concurrent upserts of one id end in one row.
 * Values that are unique by a suffix (`onInsert`) are made anew when another request took them first.
 */
async function write(
  context: Context,
  cls: RecordClass,
  input: Row,
  conflict: Conflict,
  returning: readonly string[],
  set: Values,
): Promise<Row> {
  const { key, onInsert, onSave, one, table } = optionsOf(cls);
  const given = { ...valuesOf(metaOf(cls), input), ...checkedColumns(metaOf(cls), set) };
  if (given.id === '') delete given.id;
  context.sql.writes();
  const target = given.id === undefined && key?.every((part) => given[part] !== undefined && given[part] !== null) ? key : ['id'];
  const values = onSave ? await onSave(given, context) : given;
  for (let attempt = 1; ; attempt++) {
    const once = { ...(values.id === undefined ? { id: uuidv7() } : {}), ...(await onInsert?.(values, context, attempt)) };
    try {
      const row = await watched(context, cls, values.id, values, () =>
        insert(context, cls, values, once, target, conflict, returning),
      );
      context.loaders.clear();
      return row ?? fail('INTERNAL', 'nothing was written');
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === null) throw error;
      const again = Object.keys(once).some((part) => part !== 'id' && constraint.includes(columnOf(metaOf(cls), part).column));
      if (!again || attempt === attempts) fail('CONFLICT', `another ${one} has the same ${sharedBy(constraint, table)}`);
    }
  }
}

/** Creates a row; CONFLICT when the id is taken. `set` are values that the server decides. */
export const create = (
  context: Context,
  cls: RecordClass,
  input: Row,
  returning: readonly string[],
  set: Values = {},
): Promise<Row> => write(context, cls, input, 'fail', returning, set);

/** Creates or updates by id, or by the natural key where no id is given; absent fields keep their values. */
export const upsert = (
  context: Context,
  cls: RecordClass,
  input: Row,
  returning: readonly string[],
  set: Values = {},
): Promise<Row> => write(context, cls, input, 'update', returning, set);

/** Patches the row with that id; NOT_FOUND without one. */
export async function update(
  context: Context,
  cls: RecordClass,
  id: string,
  input: Row,
  returning: readonly string[],
  set: Values = {},
): Promise<Row> {
  const meta = metaOf(cls);
  const { table, onSave, one } = optionsOf(cls);
  const { id: _, ...given } = { ...valuesOf(meta, input), ...checkedColumns(meta, set) };
  context.sql.writes();
  const values = onSave ? await onSave(given, context) : given;
  const keys = Object.keys(values);
  const changes = keys.map((key, index) => {
    const { column } = columnOf(meta, key);
    return `${column} = ${assigned(meta, key, `r.${column}`, `$${index + 2}`)}`;
  });
  try {
    const row = await watched(context, cls, id, values, () =>
      context.sql.row(
        `update ${table} as r set ${changes.join(', ') || 'id = id'} where r.id = $1 returning ${selectionOf(meta, returning)}`,
        [id, ...keys.map((key) => forDatabase(meta, key, values[key]))],
      ),
    );
    context.loaders.clear();
    return row ?? fail('NOT_FOUND', `no ${one} with the id ${id}`);
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === null) throw error;
    return fail('CONFLICT', `another ${one} has the same ${sharedBy(constraint, table)}`);
  }
}

/** Deletes the row with that id and returns it as it was; NOT_FOUND without one. */
export async function remove(context: Context, cls: RecordClass, id: string, returning: readonly string[]): Promise<Row> {
  const { table, one } = optionsOf(cls);
  context.sql.writes();
  const row = await context.sql.row(
    `delete from ${table} as r where r.id = $1 returning ${selectionOf(metaOf(cls), returning)}`,
    [id],
  );
  context.loaders.clear();
  return row ?? fail('NOT_FOUND', `no ${one} with the id ${id}`);
}

/** Deletes every row with that value in a column; the number of rows. */
export async function removeBy(context: Context, cls: RecordClass, by: string, key: string): Promise<number> {
  if (!key) reject(by, 'an id');
  context.sql.writes();
  const rows = await context.sql.rows(
    `delete from ${optionsOf(cls).table} where ${columnOf(metaOf(cls), by).column} = $1 returning id`,
    [key],
  );
  context.loaders.clear();
  return rows.length;
}
