import type { RecordClass } from '../meta.js';
import { optionsOf } from '../record.js';
import { allow, self } from './policy.js';
import { policiesOfWriters } from './writers.js';

/** Action that a mutation performs on an existing row. */
type RowAction = 'update' | 'delete';

/** Actions of handwritten mutations, keyed by the verb at the start of their names. */
const verbs: Readonly<Record<string, RowAction>> = {
  update: 'update',
  upsert: 'update',
  delete: 'delete',
  remove: 'delete',
  cancel: 'delete',
};

const actionsByRecord = new Map<RecordClass, Set<RowAction>>();

/** Returns the actions of the handwritten mutations of a record. */
export const handwrittenActions = (cls: RecordClass): ReadonlySet<RowAction> => actionsByRecord.get(cls) ?? new Set();

/**
 * Registers the action of a handwritten mutation, which follows from its name: `updateGame` updates games, and `cancelGame` deletes them.
 */
function registerAction(cls: RecordClass, mutation: string): void {
  const { one } = optionsOf(cls);
  const [verb = ''] = /^[a-z]+/.exec(mutation) ?? [];
  const action = verbs[verb];
  if (!action || mutation.toLowerCase() !== `${verb}${one}`.toLowerCase()) return;
  actionsByRecord.set(cls, (actionsByRecord.get(cls) ?? new Set()).add(action));
}

/**
 * Decorator: permits callers with write permission for a record to call a mutation. `argument` is the name of the argument that contains
 * the ID of the owner. Owners can pass only their own ID.
 */
export function allowWriters(cls: RecordClass, argument?: string): MethodDecorator {
  const { policies, owner } = optionsOf(cls).write;
  const decorate = owner && argument ? allow(...policies, self(argument)) : allow(...policiesOfWriters({ policies, owner }));
  return (target, name, descriptor) => {
    registerAction(cls, String(name));
    decorate(target, name, descriptor as TypedPropertyDescriptor<unknown>);
  };
}
