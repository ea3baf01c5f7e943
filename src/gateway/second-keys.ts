import { type FieldMeta, metaOf, type RecordClass } from '../kernel/declare/meta.js';

const known = new WeakMap<RecordClass, readonly FieldMeta[]>();

/** By what people know a record beside its id, such as a slug or a code: texts that no two rows share, and that all who read a row see. */
export function secondKeysOf(cls: RecordClass): readonly FieldMeta[] {
  const made =
    known.get(cls) ??
    [...metaOf(cls).fields.values()].filter(
      ({ kind, unique, secret, private: isPrivate, shown }) => kind === 'text' && unique && !secret && !isPrivate && !shown,
    );
  known.set(cls, made);
  return made;
}
