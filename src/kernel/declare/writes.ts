import type { Context } from './context.js';
import { fail } from './errors.js';
import type { RecordClass } from './meta.js';
import { allow, self } from './policy.js';
import { optionsOf } from './record.js';
import { heldTo, policiesOfWriters } from './writers.js';

/**
 * States on a resolver that it writes a record: whoever the record lets write it may call it. With `argument`, the name of the argument that
 * holds a user's id, an owner may do so for themselves only.
 */
export function writes(cls: RecordClass, argument?: string): ReturnType<typeof allow> {
  const { by, owner } = optionsOf(cls).write;
  return owner && argument ? allow(...by, self(argument)) : allow(...policiesOfWriters({ by, owner }));
}

/** Refuses a caller who may write a record only for themselves when it is somebody else's. */
export function checkOwner({ caller }: Context, cls: RecordClass, ownerId: unknown): void {
  const held = heldTo(optionsOf(cls).write, caller);
  if (held && held.userId !== ownerId) fail('FORBIDDEN', `the ${optionsOf(cls).one} is somebody else's`);
}
