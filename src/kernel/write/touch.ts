import { raw } from '@mikro-orm/core';
import type { Context } from '../declare/context.js';
import type { Kept } from '../declare/kept.js';
import { metaOf, type RecordClass } from '../declare/meta.js';
import { nameOf } from './given-values.js';

/** This very moment by the clock of the database: an entity has it once it is written. */
export const databaseNow = () => raw<string>('clock_timestamp()');

/** Writes down who changes an entity, and when by the clock of the database, and counts the change, as every write through the kernel does. */
export function touch({ caller }: Context, entity: Kept): void {
  entity.updatedAt = databaseNow();
  entity.updatedBy = nameOf(caller);
  entity.updatedById = caller.user?.id ?? null;
  // Not the ORM's own version: that would refuse an entity whose row the same request has written by a statement.
  const { options } = metaOf(entity.constructor as RecordClass);
  if (options?.versioned) Object.assign(entity, { version: raw<number>('version + 1') });
}
