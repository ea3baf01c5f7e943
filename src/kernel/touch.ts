import { raw } from '@mikro-orm/core';
import type { Context } from './context.js';
import type { Kept } from './kept.js';

/** Tells of an entity that it is changed, and by whom, as a save does. */
export function touch({ caller: { user, platform } }: Context, entity: Kept): void {
  entity.updatedAt = raw<string>('clock_timestamp()');
  entity.updatedBy = (user ? user.name : platform?.name) || null;
}
