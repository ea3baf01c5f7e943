import { raw } from '@mikro-orm/core';
import type { Context } from '../declare/context.js';
import type { Kept } from '../declare/kept.js';
import { nameOf } from './given-values.js';

/** This very moment by the clock of the database: an entity has it once it is written. */
export const databaseNow = () => raw<string>('clock_timestamp()');

/** Writes down who changes an entity, and when by the clock of the database, as every write through the kernel does. */
export function touch({ caller }: Context, entity: Kept): void {
  entity.updatedAt = databaseNow();
  entity.updatedBy = nameOf(caller);
}
