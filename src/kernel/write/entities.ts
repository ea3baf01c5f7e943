import type { Context } from '../declare/context.js';
import type { Kept } from '../declare/kept.js';
import type { Row } from '../declare/row.js';
import { touch } from './touch.js';

const valueIn = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? (Reflect.get(holder, name) ?? null) : null;

/** A record that was read as an entity, as the graph shows rows: by the keys of its columns, `types.singles` being one of a group. */
export const asRow = (entity: object, keys: readonly string[]): Row =>
  Object.fromEntries(keys.map((key) => [key, key.split('.').reduce(valueIn, entity)]));

/** Writes what a rule has changed of an entity, and who it was; the row as it is then. */
export async function saved(context: Context, entity: Kept, keys: readonly string[]): Promise<Row> {
  touch(context, entity);
  await context.sql.em.flush();
  context.loaders.clear();
  return asRow(entity, keys);
}

/** Deletes an entity that a rule has locked; the row as it was. */
export async function removed({ sql, loaders }: Context, entity: object, keys: readonly string[]): Promise<Row> {
  const row = asRow(entity, keys);
  await sql.em.remove(entity).flush();
  loaders.clear();
  return row;
}
