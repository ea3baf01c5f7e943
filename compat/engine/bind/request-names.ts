import type { LegacyRecord } from './binding.js';
import type { Data } from './json.js';

/** Field names in requests that follow from the responses of the same rows. */
export interface RequestNames {
  /** Response names of the same GraphQL field, by request name. Requests may use them. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** Returns the fields that a response does not contain, if the body is such a response. These fields keep their values. */
  readonly omittedBy: (body: Data) => ReadonlySet<string>;
}

/** Returns the GraphQL path of a field, without arguments. */
function pathOf({ paths = {}, keys }: LegacyRecord, name: string, direction: 'read' | 'write'): string {
  const path = paths[name] ?? keys(name);
  return (typeof path === 'string' ? path : path[direction]).replaceAll(/\(.*?\)/g, '');
}

const noNames: ReadonlySet<string> = new Set();

/** Returns the names that requests may use in addition, from `responseRecords` of the record. */
export function requestNamesOf(record: LegacyRecord): RequestNames {
  const ownNames = new Set(record.fields);
  const aliases = new Map<string, string[]>();
  const responses = (record.responseRecords ?? []).map((response) => {
    const names = Map.groupBy(response.fields, (name) => pathOf(response, name, 'read'));
    const hidden = new Set<string>();
    for (const name of record.fields) {
      if (response.fields.includes(name)) continue;
      const responseNames = (names.get(pathOf(record, name, 'write')) ?? []).filter(
        (responseName) => !ownNames.has(responseName),
      );
      if (responseNames.length) aliases.set(name, [...(aliases.get(name) ?? []), ...responseNames]);
      else hidden.add(name);
    }
    return { distinctNames: response.fields.filter((name) => !ownNames.has(name)), hidden };
  });
  const partial = responses.filter(({ hidden }) => hidden.size > 0);
  return {
    aliases,
    omittedBy: (body) =>
      partial.find(({ distinctNames }) => distinctNames.some((name) => body[name] !== undefined))?.hidden ?? noNames,
  };
}
