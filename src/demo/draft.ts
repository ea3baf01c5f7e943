import { groupOf, type RecordMeta } from '../kernel/declare/meta.js';
import type { Row } from '../kernel/session.js';

/** A row of demo data. It has some fields of a record, and groups are objects. Other properties are ignored. */
export type RecordDraft<T> = {
  [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? RecordDraft<T[K]> : T[K];
};

/** Returns the column values of a draft, by key. Groups are flattened. Creation and update times also stand for those that the platform reported. */
export function flatten(meta: RecordMeta, draft: object, prefix = ''): Row {
  const row: Row = {};
  for (const field of meta.fields.values()) {
    const value: unknown = Reflect.get(draft, field.name);
    if (value === undefined) continue;
    if (field.kind === 'group') Object.assign(row, flatten(groupOf(field), Object(value), `${field.name}.`));
    else row[prefix + field.name] = value;
  }
  if (meta.fields.has('reported'))
    for (const key of ['createdAt', 'createdBy', 'updatedAt', 'updatedBy'])
      if (row[key] !== undefined) row[`reported.${key}`] ??= row[key];
  return row;
}
