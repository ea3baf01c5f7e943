import { groupOf, type RecordMeta } from '../kernel/declare/meta.js';
import type { Row } from '../kernel/session.js';

/** A row as the files of the season write it: any of a record's fields, groups as objects. What it holds beyond them is left out. */
export type RecordDraft<T> = {
  [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? RecordDraft<T[K]> : T[K];
};

/** A draft's columns by key, groups unfolded; what it says of its making is what its platform reports, too. */
export function unfolded(meta: RecordMeta, draft: object, prefix = ''): Row {
  const row: Row = {};
  for (const field of meta.fields.values()) {
    const value: unknown = Reflect.get(draft, field.name);
    if (value === undefined) continue;
    if (field.kind === 'group') Object.assign(row, unfolded(groupOf(field), Object(value), `${field.name}.`));
    else row[prefix + field.name] = value;
  }
  if (meta.fields.has('reported'))
    for (const key of ['createdAt', 'createdBy', 'updatedAt', 'updatedBy'])
      if (row[key] !== undefined) row[`reported.${key}`] ??= row[key];
  return row;
}
