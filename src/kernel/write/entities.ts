import { LockMode, raw } from '@mikro-orm/core';
import type { Context } from '../declare/context.js';
import { mainRow, textOf } from '../declare/expression.js';
import { metaOf, type RecordClass } from '../declare/meta.js';
import type { RowOf } from '../declare/row.js';
import type { TrackedRecord } from '../declare/tracked-record.js';
import { visibleRows } from '../read/conditions/visible.js';
import { callerName } from './column-values.js';

const propertyOf = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null ? (Reflect.get(object, name) ?? null) : null;

/**
 * Converts an entity to a row with the given column keys. The key of a field in a group consists of both names, such as `types.singles`.
 */
export const entityToRow = <T extends object, K extends string>(entity: T, keys: readonly K[]): RowOf<T, K> =>
  Object.fromEntries(keys.map((key) => [key, key.split('.').reduce<unknown>(propertyOf, entity)])) as RowOf<T, K>;

/** Saves the changes to an entity and records the time and the caller. Returns the entity's row. */
export async function saveEntity<T extends TrackedRecord, K extends string>(
  context: Context,
  entity: T,
  keys: readonly K[],
): Promise<RowOf<T, K>> {
  touch(context, entity);
  return flushEntity(context, entity, keys);
}

/** Like `saveEntity`, but does not set `updatedBy`. Used for changes by users who must not be visible to all readers of the entity. */
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

/**
 * Returns SQL for the current time of the database, to assign to a property of an entity. PostgreSQL evaluates it when the entity is
 * written.
 */
export const databaseNow = () => raw<string>('clock_timestamp()');

/** Records the caller and the time of a change to an entity and increments its version, like every write through the kernel. */
export function touch(context: Context, entity: TrackedRecord): void {
  const { caller } = context;
  entity.updatedBy = callerName(caller);
  entity.updatedById = caller.user?.id ?? null;
  touchAnonymously(entity);
}

/** Like `touch`, but does not set `updatedBy`. Used for changes by users who must not be visible to all readers of the entity. */
export function touchAnonymously(entity: TrackedRecord): void {
  entity.updatedAt = databaseNow();
  // The ORM's version feature is not used, because it would reject an entity after another statement of the request has changed its row.
  const { options } = metaOf(entity.constructor as RecordClass);
  if (options?.versioned) Object.assign(entity, { version: raw<number>('version + 1') });
}

/** Reads an entity and locks its row until the end of the transaction. Null if the row does not exist or the caller cannot see it. */
export async function lockVisibleEntity<T extends { id: string }>(
  { caller, sql }: Context,
  cls: RecordClass<T>,
  id: string,
): Promise<T | null> {
  const visible = visibleRows(cls, caller, mainRow);
  const records: RecordClass<{ id: string }> = cls;
  const query = sql.em.createQueryBuilder(records, 'r').select('*').where({ id }).setLockMode(LockMode.PESSIMISTIC_WRITE);
  if (visible) {
    const values: unknown[] = [];
    const text = textOf(visible, ({ value }) => {
      values.push(value);
      return '?';
    });
    query.andWhere(raw(text, values));
  }
  const entity = await query.getSingleResult();
  return entity instanceof cls ? entity : null;
}
