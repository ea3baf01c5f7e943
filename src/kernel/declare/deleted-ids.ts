import { ID } from 'type-graphql';
import type { FieldSpec, GeneratedField } from './fields/generated.js';
import type { RecordClass } from './meta.js';
import type { Row } from './row.js';

/** IDs of deleted rows, keyed by record name. */
export type DeletedRows = ReadonlyMap<string, string[]>;

/** Result fields that contain the IDs of deleted rows. */
export type DeletedIds<Key extends `deleted${string}Ids` = `deleted${string}Ids`> = Record<Key, string[]>;

/** Returns the name of the field that contains the IDs of a record's deleted rows, such as `deletedTeamIds`. */
export const deletedIdsKey = (record: string): `deleted${string}Ids` => `deleted${record}Ids`;

/** Returns the IDs of deleted rows, keyed by the name of the field that returns them. */
export const deletedIdsOf = (rows: DeletedRows): DeletedIds =>
  Object.fromEntries([...rows].map(([record, ids]) => [deletedIdsKey(record), ids]));

/** Declares a field that returns the IDs of deleted rows. The list is empty if the source object has no property with this name. */
export const deletedIdsField = (key: string, description: string): FieldSpec => ({
  type: () => [ID],
  description,
  resolve: (source) => (source as Row)[key] ?? [],
});

/**
 * Declares fields of `cls` that contain the IDs of other records. The given mutations delete these records together with a record of `cls`.
 * `records` maps the name of each field to a plural noun for its description: `{ deletedTeamIds: 'teams' }`.
 */
export const deletedIdsFields = (
  cls: RecordClass,
  mutations: readonly string[],
  records: Readonly<Record<`deleted${string}Ids`, string>>,
): GeneratedField[] =>
  Object.entries(records).map(([name, words]) => ({
    on: cls,
    name,
    ...deletedIdsField(
      name,
      `IDs of the ${words} that ${mutations.map((mutation) => `\`${mutation}\``).join(' or ')} deleted. Otherwise empty.`,
    ),
  }));
