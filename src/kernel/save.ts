import { uuidv7 } from 'uuidv7';
import type { Context } from './context.js';
import { fail, reject } from './errors.js';
import { followed } from './followed.js';
import { isKept, valuesFor } from './given-values.js';
import { forDatabase } from './input-values.js';
import { selectionOf } from './list.js';
import { columnOf, metaOf, type RecordClass, type RecordMeta } from './meta.js';
import { optionsOf, type Values } from './record.js';
import { type Row, violatedConstraint } from './sql.js';
import { locked, notTheirs, unwritten, writable } from './writable.js';
import type { OwnRows } from './writers.js';

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
  held: OwnRows | null,
): string {
  const meta = metaOf(cls);
  const columns = (of: readonly string[]) => of.map((key) => columnOf(meta, key).column).join(', ');
  const values = keys.map((key, index) => assigned(meta, key, `'[]'`, `$${index + 1}`));
  const set = (patched.length ? patched : target).map((key) => {
    const { column } = columnOf(meta, key);
    return `${column} = ${assigned(meta, key, `r.${column}`, `$${keys.indexOf(key) + 1}`, `excluded.${column}`)}`;
  });
  if (isKept(meta)) set.push('updated_at = clock_timestamp()');
  const conditions = writable(cls, held, () => `$${keys.length + 1}`);
  const where = conditions.length ? ` where ${conditions.join(' and ')}` : '';
  const action = conflict === 'update' ? ` on conflict (${columns(target)}) do update set ${set.join(', ')}${where}` : '';
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
  held: OwnRows | null,
) {
  const meta = metaOf(cls);
  const all = { ...values, ...once };
  const keys = Object.keys(all);
  const patched = Object.keys(values).filter((key) => key !== 'id' && !target.includes(key));
  const known = texts.get(returning) ?? new Map<string, string>();
  texts.set(returning, known);
  const shape = `${cls.name} ${conflict} ${target.join()} ${keys.join()} ${patched.join()} ${held?.column}`;
  const text = known.get(shape) ?? insertText(cls, keys, patched, target, conflict, returning, held);
  if (known.size < 100) known.set(shape, text);
  const params = keys.map((key) => forDatabase(meta, key, all[key]));
  if (held && conflict === 'update') params.push(held.userId);
  return context.sql.row(text, params);
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
  held: OwnRows | null,
): Promise<Row> {
  const { key, onInsert, onSave, one, table } = optionsOf(cls);
  const given = valuesFor(context, cls, input, set, held);
  if (held) given[held.column] = held.userId;
  context.sql.writes();
  const target = given.id === undefined && key?.every((part) => given[part] !== undefined && given[part] !== null) ? key : ['id'];
  const values = onSave ? await onSave(given, context) : given;
  for (let attempt = 1; ; attempt++) {
    const once = {
      ...(values.id === undefined ? { id: uuidv7() } : {}),
      ...(isKept(metaOf(cls)) ? { createdBy: values.updatedBy } : {}),
      ...(await onInsert?.(values, context, attempt)),
    };
    try {
      const row = await followed(context, cls, values.id, values, () =>
        insert(context, cls, values, once, target, conflict, returning, held),
      );
      context.loaders.clear();
      return row ?? (held ? notTheirs(one) : locked(one));
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === null) throw error;
      const again = Object.keys(once).some((part) => part !== 'id' && constraint.includes(columnOf(metaOf(cls), part).column));
      if (!again || attempt === attempts) fail('CONFLICT', `another ${one} has the same ${sharedBy(constraint, table)}`);
    }
  }
}

/** Creates a row; CONFLICT when the id is taken. `set` are values that the server decides, or that come in arguments of their own. */
export const create = (
  context: Context,
  cls: RecordClass,
  input: Row,
  returning: readonly string[],
  set: Values = {},
  held: OwnRows | null = null,
): Promise<Row> => write(context, cls, input, 'fail', returning, set, held);

/** Creates or updates by id, or by the natural key where no id is given; absent fields keep their values. */
export const upsert = (
  context: Context,
  cls: RecordClass,
  input: Row,
  returning: readonly string[],
  set: Values = {},
  held: OwnRows | null = null,
): Promise<Row> => write(context, cls, input, 'update', returning, set, held);

/** Patches the row with that id; NOT_FOUND without one, CONFLICT when it is locked and stays so, BAD_INPUT for an input that names another. */
export async function update(
  context: Context,
  cls: RecordClass,
  id: string,
  input: Row,
  returning: readonly string[],
  set: Values = {},
  held: OwnRows | null = null,
): Promise<Row> {
  const meta = metaOf(cls);
  const { table, onSave, one } = optionsOf(cls);
  const { id: _, ...given } = valuesFor(context, cls, input, set, held, id);
  context.sql.writes();
  const values = onSave ? await onSave(given, context) : given;
  const keys = Object.keys(values);
  const changes = keys.map((key, index) => {
    const { column } = columnOf(meta, key);
    return `${column} = ${assigned(meta, key, `r.${column}`, `$${index + 2}`)}`;
  });
  if (isKept(meta)) changes.push('updated_at = clock_timestamp()');
  const params = [id, ...keys.map((key) => forDatabase(meta, key, values[key]))];
  const where = ['r.id = $1', ...writable(cls, held, () => `$${params.push(held?.userId)}`, values)].join(' and ');
  try {
    const row = await followed(context, cls, id, values, () =>
      context.sql.row(
        `update ${table} as r set ${changes.join(', ') || 'id = id'} where ${where} returning ${selectionOf(meta, returning)}`,
        params,
      ),
    );
    context.loaders.clear();
    return row ?? (await unwritten(context, cls, id, held));
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === null) throw error;
    return fail('CONFLICT', `another ${one} has the same ${sharedBy(constraint, table)}`);
  }
}

/** Deletes the row with that id and returns it as it was; NOT_FOUND without one, CONFLICT when it is locked. */
export async function remove(
  context: Context,
  cls: RecordClass,
  id: string,
  returning: readonly string[],
  held: OwnRows | null = null,
): Promise<Row> {
  const params: unknown[] = [id];
  const where = ['r.id = $1', ...writable(cls, held, () => `$${params.push(held?.userId)}`)].join(' and ');
  context.sql.writes();
  const row = await context.sql.row(
    `delete from ${optionsOf(cls).table} as r where ${where} returning ${selectionOf(metaOf(cls), returning)}`,
    params,
  );
  context.loaders.clear();
  return row ?? unwritten(context, cls, id, held);
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
