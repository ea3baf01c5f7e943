import type { LegacyRecord } from './binding.js';
import type { Data } from './json.js';

/** Additional names of fields in requests. */
export interface ReadNames {
  /** Names of the same graph field in responses, by name in requests. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** Fields that responses do not show. They keep their values if a client sends such a response back. */
  readonly hiddenIn: (sent: Data) => ReadonlySet<string>;
}

/** GraphQL path of a field, without arguments. */
function pathOf({ paths = {}, keys }: LegacyRecord, name: string, direction: 'read' | 'write'): string {
  const path = paths[name] ?? keys(name);
  return (typeof path === 'string' ? path : path[direction]).replaceAll(/\(.*?\)/g, '');
}

const nothing: ReadonlySet<string> = new Set();

/** Additional names of a record, from the records that responses show instead of it. */
export function readNamesOf(record: LegacyRecord): ReadNames {
  const own = new Set(record.fields);
  const aliases = new Map<string, string[]>();
  const shapes = (record.readAs ?? []).map((shown) => {
    const names = Map.groupBy(shown.fields, (name) => pathOf(shown, name, 'read'));
    const hidden = new Set<string>();
    for (const name of record.fields) {
      if (shown.fields.includes(name)) continue;
      const others = (names.get(pathOf(record, name, 'write')) ?? []).filter((other) => !own.has(other));
      if (others.length) aliases.set(name, [...(aliases.get(name) ?? []), ...others]);
      else hidden.add(name);
    }
    return { marks: shown.fields.filter((name) => !own.has(name)), hidden };
  });
  const partial = shapes.filter(({ hidden }) => hidden.size > 0);
  return {
    aliases,
    hiddenIn: (sent) => partial.find(({ marks }) => marks.some((name) => sent[name] !== undefined))?.hidden ?? nothing,
  };
}
