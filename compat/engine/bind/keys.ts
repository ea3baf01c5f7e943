/** Converts a legacy key to the path of its GraphQL field. */
export type KeyNaming = (key: string) => string;

const words = /[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g;
const ids: Record<string, string> = { uuid: 'id', uuids: 'ids' };

/**
 * Converts any legacy spelling to the GraphQL name: `player_one_uuid` → `playerOneId`, `TourneyFromDate` → `tourneyFromDate`, `DetailsURL` → `detailsUrl`,
 * `uuid` → `id`, `userUuid` → `userId`.
 */
export const camel: KeyNaming = (key) => {
  const parts = (key.match(words) ?? [key]).map((word) => word.toLowerCase());
  const last = parts.pop() ?? '';
  return [...parts, ids[last] ?? last]
    .map((word, index) => (index ? word.charAt(0).toUpperCase() + word.slice(1) : word))
    .join('');
};

/** `camel` with exceptions for names that differ, such as `camelExcept({ dateCreated: 'createdAt' })`. They apply to every spelling. */
export const camelExcept =
  (exceptions: Readonly<Record<string, string>>): KeyNaming =>
  (key) =>
    exceptions[camel(key)] ?? camel(key);
