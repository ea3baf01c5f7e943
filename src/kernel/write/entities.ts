import type { Context } from '../declare/context.js';
import type { Kept } from '../declare/kept.js';
import type { RowOf } from '../declare/row-of.js';
import { touch } from './touch.js';

const valueIn = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? (Reflect.get(holder, name) ?? null) : null;

/** A record that was read as an entity, as the graph shows rows: by the keys of its columns, `types.singles` being one of a group. */
export const asRow = <T extends object, K extends string>(entity: T, keys: readonly K[]): RowOf<T, K> =>
  Object.fromEntries(keys.map((key) => [key, key.split('.').reduce<unknown>(valueIn, entity)])) as RowOf<T, K>;

/** Writes what a rule has changed of an entity, and who it was; the row as it is then. */
export async function saved<T extends Kept, K extends string>(
  context: Context,
  entity: T,
  keys: readonly K[],
): Promise<RowOf<T, K>> {
  touch(context, entity);
  await context.sql.em.flush();
  context.loaders.clear();
  return asRow(entity, keys);
}

/** Deletes an entity that a rule has locked; the row as it was. */
export async function removed<T extends object, K extends string>(
  { sql, loaders }: Context,
  entity: T,
  keys: readonly K[],
): Promise<RowOf<T, K>> {
  const row = asRow(entity, keys);
  await sql.em.remove(entity).flush();
  loaders.clear();
  return row;
}
