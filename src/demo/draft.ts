import { groupOf, type RecordMeta } from '../kernel/declare/meta.js';
import type { Row } from '../kernel/session.js';

/** A row of demo data: some fields of a record. Field groups are nested objects. Other properties are ignored. */
export type RecordDraft<T> = {
  [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? RecordDraft<T[K]> : T[K];
};

/**
 * Returns the column values of a draft by key, with flattened groups. For records with times that the platform reports, these times are the
 * creation and update times of the draft.
 */
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
