import type { LegacyRecord, RecordTable } from './binding.js';
import { camel } from './keys.js';

/** Declares a legacy record. The table is checked against the graph when the service starts. */
export const record = (name: string, rule: RecordTable): LegacyRecord => ({
  keys: camel,
  ...rule,
  name,
  fields: rule.fields.split(/\s+/).filter(Boolean),
});

/** One shape or path for many fields: `as: { ...each('dateCreated dateUpdated', readOnly) }`. */
export const each = <T>(fields: string, same: T): Record<string, T> =>
  Object.fromEntries(
    fields
      .split(/\s+/)
      .filter(Boolean)
      .map((field) => [field, same]),
  );
