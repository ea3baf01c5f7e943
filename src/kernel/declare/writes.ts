import type { RecordClass } from './meta.js';
import { allow, self } from './policy.js';
import { optionsOf } from './record.js';
import { policiesOfWriters } from './writers.js';

/** Actions that the kernel can generate root fields for. */
type WrittenAction = 'update' | 'delete';

/** Action of a handwritten mutation, by the verb in its name. */
const verbs: Readonly<Record<string, WrittenAction>> = {
  update: 'update',
  upsert: 'update',
  delete: 'delete',
  remove: 'delete',
  cancel: 'delete',
};

const written = new Map<RecordClass, Set<WrittenAction>>();

/** Actions of the handwritten mutations of a record. */
export const writtenByHand = (cls: RecordClass): ReadonlySet<WrittenAction> => written.get(cls) ?? new Set();

/** Registers the action of a handwritten mutation, by its name: `updateGame` updates games, `cancelGame` deletes them. */
function note(cls: RecordClass, mutation: string): void {
  const { one } = optionsOf(cls);
  const [verb = ''] = /^[a-z]+/.exec(mutation) ?? [];
  const doing = verbs[verb];
  if (!doing || mutation.toLowerCase() !== `${verb}${one}`.toLowerCase()) return;
  written.set(cls, (written.get(cls) ?? new Set()).add(doing));
}

/**
 * Decorator for a mutation that writes a record: permits the callers that may write the record. `argument` is the name of an argument with the
 * ID of the owner. With it, owners can only pass their own ID.
 */
export function writes(cls: RecordClass, argument?: string): MethodDecorator {
  const { by, owner } = optionsOf(cls).write;
  const allowed = owner && argument ? allow(...by, self(argument)) : allow(...policiesOfWriters({ by, owner }));
  return (target, name, descriptor) => {
    note(cls, String(name));
    allowed(target, name, descriptor as TypedPropertyDescriptor<unknown>);
  };
}
