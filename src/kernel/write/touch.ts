import { raw } from '@mikro-orm/core';
import type { Context } from '../declare/context.js';
import { metaOf, type RecordClass } from '../declare/meta.js';
import type { TrackedRecord } from '../declare/tracked-record.js';
import { callerName } from './column-values.js';

/** Returns the SQL of the current time of the database, for a property of an entity. It is evaluated when the entity is written. */
export const databaseNow = () => raw<string>('clock_timestamp()');

/** Sets the caller and time of a change of an entity, and increments its version, like every write through the kernel. */
export function touch(context: Context, entity: TrackedRecord): void {
  const { caller } = context;
  entity.updatedBy = callerName(caller);
  entity.updatedById = caller.user?.id ?? null;
  touchAnonymously(entity);
}

/** Like `touch`, but does not set `updatedBy`. For changes by users that some readers of the entity may not see. */
export function touchAnonymously(entity: TrackedRecord): void {
  entity.updatedAt = databaseNow();
  // The version feature of the ORM is not used. It would reject an entity after another statement of the request has changed its row.
  const { options } = metaOf(entity.constructor as RecordClass);
  if (options?.versioned) Object.assign(entity, { version: raw<number>('version + 1') });
}
