import { raw } from '@mikro-orm/core';
import type { Context } from '../declare/context.js';
import { metaOf, type RecordClass } from '../declare/meta.js';
import type { TrackedRecord } from '../declare/tracked-record.js';
import { callerName } from './column-values.js';

/** SQL of the current time of the database, for a property of an entity. Evaluated when the entity is written. */
export const databaseNow = () => raw<string>('clock_timestamp()');

/** Sets who changes an entity and when, and increments its version, like every write through the kernel. */
export function touch(context: Context, entity: TrackedRecord): void {
  const { caller } = context;
  entity.updatedBy = callerName(caller);
  entity.updatedById = caller.user?.id ?? null;
  touchAnonymously(entity);
}

/** Like `touch`, but keeps who changed the entity before. For changes by users whom not all readers of the entity may see. */
export function touchAnonymously(entity: TrackedRecord): void {
  entity.updatedAt = databaseNow();
  // Not the version feature of the ORM: it would reject an entity whose row a statement of the same request has changed.
  const { options } = metaOf(entity.constructor as RecordClass);
  if (options?.versioned) Object.assign(entity, { version: raw<number>('version + 1') });
}
