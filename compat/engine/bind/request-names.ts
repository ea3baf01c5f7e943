import type { LegacyRecord } from './binding.js';
import type { Data } from './json.js';

/** Rules for request bodies that are copies of responses. */
export interface RequestNames {
  /** Response names that requests may use instead of a request name, keyed by request name. Both refer to the same GraphQL field. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** If the body is a copy of a response, returns the fields that this response does not contain. They keep their values. */
  readonly keysToOmit: (body: Data) => ReadonlySet<string>;
}

/** Returns the GraphQL path of a field, without arguments. */
function pathOf({ paths = {}, keys }: LegacyRecord, name: string, direction: 'read' | 'write'): string {
  const path = paths[name] ?? keys(name);
  return (typeof path === 'string' ? path : path[direction]).replaceAll(/\(.*?\)/g, '');
}

const noNames: ReadonlySet<string> = new Set();

/** Derives the rules for copies of responses from the `responseRecords` of a record. */
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
    keysToOmit: (body) =>
      partial.find(({ distinctNames }) => distinctNames.some((name) => body[name] !== undefined))?.hidden ?? noNames,
  };
}
