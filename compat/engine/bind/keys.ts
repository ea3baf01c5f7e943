/** Converts a legacy name to its GraphQL path. */
export type KeyNaming = (key: string) => string;

const words = /[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g;
const ids: Record<string, string> = { uuid: 'id', uuids: 'ids' };

/**
 * Converts a legacy name in snake_case, camelCase or PascalCase to camelCase: `player_one_uuid` → `playerOneId`, `DetailsURL` → `detailsUrl`. The
 * word `uuid` at the end becomes `id`.
 */
export const camel: KeyNaming = (key) => {
  const parts = (key.match(words) ?? [key]).map((word) => word.toLowerCase());
  const last = parts.pop() ?? '';
  return [...parts, ids[last] ?? last]
    .map((word, index) => (index ? word.charAt(0).toUpperCase() + word.slice(1) : word))
    .join('');
};

/** Returns `camel` with exceptions, such as `camelExcept({ dateCreated: 'createdAt' })`. They apply to the result of `camel`. */
export const camelExcept =
  (exceptions: Readonly<Record<string, string>>): KeyNaming =>
  (key) =>
    exceptions[camel(key)] ?? camel(key);
