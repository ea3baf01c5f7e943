import type { KeyNaming, LegacyRecord, RecordTable } from './binding.js';

const words = /[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g;
const ids: Record<string, string> = { uuid: 'id', uuids: 'ids' };

/**
 * Converts a legacy name in snake_case, camelCase or PascalCase to camelCase: `player_one_uuid` → `playerOneId`, `DetailsURL` →
 * `detailsUrl`. A final `uuid` or `uuids` becomes `id` or `ids`.
 */
export const camel: KeyNaming = (key) => {
  const parts = (key.match(words) ?? [key]).map((word) => word.toLowerCase());
  const last = parts.pop() ?? '';
  return [...parts, ids[last] ?? last]
    .map((word, index) => (index ? word.charAt(0).toUpperCase() + word.slice(1) : word))
    .join('');
};

/** Returns a variant of `camel` with exceptions, keyed by the result of `camel`, such as `camelExcept({ dateCreated: 'createdAt' })`. */
export const camelExcept =
  (exceptions: Readonly<Record<string, string>>): KeyNaming =>
  (key) =>
    exceptions[camel(key)] ?? camel(key);

/** Declares a legacy record. At startup, it is checked against the GraphQL schema. */
export const record = (name: string, table: RecordTable): LegacyRecord => ({
  keys: camel,
  ...table,
  name,
  fields: table.fields.split(/\s+/).filter(Boolean),
});

/** Returns an object with the same value for several fields: `as: { ...sameForFields('dateCreated dateUpdated', readOnly) }`. */
export const sameForFields = <T>(fields: string, value: T): Record<string, T> =>
  Object.fromEntries(
    fields
      .split(/\s+/)
      .filter(Boolean)
      .map((field) => [field, value]),
  );
