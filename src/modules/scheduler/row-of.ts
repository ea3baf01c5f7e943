import type { Row } from '../../kernel/session.js';

const valueIn = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? (Reflect.get(holder, name) ?? null) : null;

/** A record that was read as an entity, as the graph shows rows: by the keys of its columns, `types.singles` being one of a group. */
export const rowOf = (entity: object, keys: readonly string[]): Row =>
  Object.fromEntries(keys.map((key) => [key, key.split('.').reduce(valueIn, entity)]));
