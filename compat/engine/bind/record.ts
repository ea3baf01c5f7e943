import type { LegacyRecord, RecordTable } from './binding.js';
import { camel } from './keys.js';

/** Declares a legacy record. At startup, it is checked against the GraphQL schema. */
export const record = (name: string, table: RecordTable): LegacyRecord => ({
  keys: camel,
  ...table,
  name,
  fields: table.fields.split(/\s+/).filter(Boolean),
});

/** Returns an object with the same value for several fields: `as: { ...each('dateCreated dateUpdated', readOnly) }`. */
export const each = <T>(fields: string, value: T): Record<string, T> =>
  Object.fromEntries(
    fields
      .split(/\s+/)
      .filter(Boolean)
      .map((field) => [field, value]),
  );
