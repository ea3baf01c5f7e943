import { type FieldMeta, metaOf, type RecordClass } from '../../kernel/declare/meta.js';

const alternateKeys = new WeakMap<RecordClass, readonly FieldMeta[]>();

/** Alternate keys of a record, such as a slug or a code: unique public text fields. */
export function alternateKeysOf(cls: RecordClass): readonly FieldMeta[] {
  const fields =
    alternateKeys.get(cls) ??
    [...metaOf(cls).fields.values()].filter(
      ({ kind, unique, secret, private: isPrivate, conversion }) =>
        kind === 'text' && unique && !secret && !isPrivate && !conversion,
    );
  alternateKeys.set(cls, fields);
  return fields;
}
