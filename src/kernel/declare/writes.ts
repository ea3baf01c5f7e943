import type { RecordClass } from './meta.js';
import { allow, self } from './policy.js';
import { optionsOf } from './record.js';
import { policiesOfWriters } from './writers.js';

/** Actions of every record, which the kernel itself has root fields for. */
type WrittenAction = 'update' | 'delete';

/** What mutations do with a row, by how their names begin. */
const verbs: Readonly<Record<string, WrittenAction>> = {
  update: 'update',
  upsert: 'update',
  delete: 'delete',
  remove: 'delete',
  cancel: 'delete',
};

const written = new Map<RecordClass, Set<WrittenAction>>();

/** What mutations that are written by hand do with the rows of a record. */
export const writtenByHand = (cls: RecordClass): ReadonlySet<WrittenAction> => written.get(cls) ?? new Set();

/** Notes that `updateGame` updates games, and `cancelGame` deletes them. */
function note(cls: RecordClass, mutation: string): void {
  const { one } = optionsOf(cls);
  const [verb = ''] = /^[a-z]+/.exec(mutation) ?? [];
  const doing = verbs[verb];
  if (!doing || mutation.toLowerCase() !== `${verb}${one}`.toLowerCase()) return;
  written.set(cls, (written.get(cls) ?? new Set()).add(doing));
}

/**
 * States on a resolver that it writes a record: whoever the record lets write it may call it. With `argument`, the name of the argument that
 * holds a user's id, an owner may do so for themselves only.
 */
export function writes(cls: RecordClass, argument?: string): MethodDecorator {
  const { by, owner } = optionsOf(cls).write;
  const allowed = owner && argument ? allow(...by, self(argument)) : allow(...policiesOfWriters({ by, owner }));
  return (target, name, descriptor) => {
    note(cls, String(name));
    allowed(target, name, descriptor as TypedPropertyDescriptor<unknown>);
  };
}
