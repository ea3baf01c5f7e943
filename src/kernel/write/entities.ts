import type { Context } from '../declare/context.js';
import type { Kept } from '../declare/kept.js';
import type { RowOf } from '../declare/row-of.js';
import { touch } from './touch.js';

const valueIn = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? (Reflect.get(holder, name) ?? null) : null;

/** Converts an entity to a row with the given column keys. The key of a field of a group is, for example, `types.singles`. */
export const asRow = <T extends object, K extends string>(entity: T, keys: readonly K[]): RowOf<T, K> =>
  Object.fromEntries(keys.map((key) => [key, key.split('.').reduce<unknown>(valueIn, entity)])) as RowOf<T, K>;

/** Saves the changes of an entity, with the time and the caller. Returns its row. */
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

/** Deletes an entity. Returns its last row. */
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
