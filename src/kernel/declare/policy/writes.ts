import type { RecordClass } from '../meta.js';
import { optionsOf } from '../record.js';
import { allow, self } from './policy.js';
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

const actionsByRecord = new Map<RecordClass, Set<WrittenAction>>();

/** Actions of the handwritten mutations of a record. */
export const handwrittenActions = (cls: RecordClass): ReadonlySet<WrittenAction> => actionsByRecord.get(cls) ?? new Set();

/** Registers the action of a handwritten mutation, by its name: `updateGame` updates games, `cancelGame` deletes them. */
function registerAction(cls: RecordClass, mutation: string): void {
  const { one } = optionsOf(cls);
  const [verb = ''] = /^[a-z]+/.exec(mutation) ?? [];
  const action = verbs[verb];
  if (!action || mutation.toLowerCase() !== `${verb}${one}`.toLowerCase()) return;
  actionsByRecord.set(cls, (actionsByRecord.get(cls) ?? new Set()).add(action));
}

/**
 * Decorator for a mutation that writes a record: permits the callers that may write the record. `argument` is the name of an argument with the
 * ID of the owner. With it, owners can only pass their own ID.
 */
export function allowWriters(cls: RecordClass, argument?: string): MethodDecorator {
  const { policies, owner } = optionsOf(cls).write;
  const decorate = owner && argument ? allow(...policies, self(argument)) : allow(...policiesOfWriters({ policies, owner }));
  return (target, name, descriptor) => {
    registerAction(cls, String(name));
    decorate(target, name, descriptor as TypedPropertyDescriptor<unknown>);
  };
}
