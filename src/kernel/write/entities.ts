import type { Context } from '../declare/context.js';
import type { RowOf } from '../declare/row-of.js';
import type { TrackedRecord } from '../declare/tracked-record.js';
import { touch, touchAnonymously } from './touch.js';

const propertyOf = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null ? (Reflect.get(object, name) ?? null) : null;

/** Converts an entity to a row with some column keys. A field of a group has a key such as `types.singles`. */
export const entityToRow = <T extends object, K extends string>(entity: T, keys: readonly K[]): RowOf<T, K> =>
  Object.fromEntries(keys.map((key) => [key, key.split('.').reduce<unknown>(propertyOf, entity)])) as RowOf<T, K>;

/** Saves the changes of an entity with the time and the caller. Returns its row. */
export async function saveEntity<T extends TrackedRecord, K extends string>(
  context: Context,
  entity: T,
  keys: readonly K[],
): Promise<RowOf<T, K>> {
  touch(context, entity);
  return flushEntity(context, entity, keys);
}

/** Like `saveEntity`, but does not set `updatedBy`. For changes by users that some readers of the entity may not see. */
export async function saveEntityAnonymously<T extends TrackedRecord, K extends string>(
  context: Context,
  entity: T,
  keys: readonly K[],
): Promise<RowOf<T, K>> {
  touchAnonymously(entity);
  return flushEntity(context, entity, keys);
}

async function flushEntity<T extends object, K extends string>(
  { sql, loaders }: Context,
  entity: T,
  keys: readonly K[],
): Promise<RowOf<T, K>> {
  await sql.em.flush();
  loaders.clear();
  return entityToRow(entity, keys);
}

/** Deletes an entity. Returns its last row. */
export async function removeEntity<T extends object, K extends string>(
  { sql, loaders }: Context,
  entity: T,
  keys: readonly K[],
): Promise<RowOf<T, K>> {
  const row = entityToRow(entity, keys);
  await sql.em.remove(entity).flush();
  loaders.clear();
  return row;
}
