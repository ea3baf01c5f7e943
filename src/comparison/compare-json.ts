import type { Differences } from './differences.js';
import type { JsonNode } from './json-tree.js';

type JsonObject = Extract<JsonNode, { kind: 'object' }>;
type JsonArray = Extract<JsonNode, { kind: 'array' }>;

/** Short form of a value. */
function shortForm(node: JsonNode): string {
  if (node.kind === 'object') return `{ ${node.entries.map(([key]) => key).join(', ')} }`;
  return node.kind === 'array' ? `[ ${node.items.length} ]` : node.raw;
}

/** Entries in their order. Duplicate keys are numbered. */
function entriesByKey({ entries }: JsonObject): Map<string, JsonNode> {
  const byKey = new Map<string, JsonNode>();
  for (const [key, value] of entries) {
    let name = key;
    for (let occurrence = 2; byKey.has(name); occurrence += 1) name = `${key} (${occurrence})`;
    byKey.set(name, value);
  }
  return byKey;
}

function compareObjects(old: JsonObject, now: JsonObject, path: string, differences: Differences): void {
  const [before, after] = [entriesByKey(old), entriesByKey(now)];
  const keyPath = (key: string) => (path ? `${path}.${key}` : key);
  for (const [key, value] of before) {
    const other = after.get(key);
    if (other) compareJson(value, other, keyPath(key), differences);
    else differences.add('missing key', keyPath(key), shortForm(value), '');
  }
  for (const [key, value] of after) if (!before.has(key)) differences.add('extra key', keyPath(key), '', shortForm(value));
  const [shared, others] = [
    [...before.keys()].filter((key) => after.has(key)),
    [...after.keys()].filter((key) => before.has(key)),
  ];
  if (shared.some((key, index) => key !== others[index]))
    differences.add('key order', path, shared.join(', '), others.join(', '));
}

/** Whether a key identifies an object. */
export const isIdName = (key: string): boolean => /(?:^|_)(?:uu)?id$|(?:Id|ID|Uuid)$/.test(key);

/** Identities of array items. Null if they are not unique. */
function identities(items: readonly JsonNode[], key: string | undefined): string[] | null {
  const ids = items.map((item) => {
    if (item.kind !== 'object') return item.kind === 'array' ? null : item.raw;
    const value = item.entries.find(([name]) => name === key)?.[1];
    return value && 'raw' in value ? value.raw : null;
  });
  const uniqueIds = ids.filter((id) => id !== null);
  return uniqueIds.length === items.length && new Set(uniqueIds).size === uniqueIds.length ? uniqueIds : null;
}

/** Compares items without an ID by index. */
function compareByIndex(old: JsonArray, now: JsonArray, path: string, differences: Differences): void {
  for (const [index, item] of old.items.entries()) {
    const other = now.items[index];
    if (other) compareJson(item, other, path, differences);
  }
}

function compareArrays(old: JsonArray, now: JsonArray, path: string, differences: Differences): void {
  if (old.items.length !== now.items.length) differences.add('array length', path, `${old.items.length}`, `${now.items.length}`);
  const first = old.items[0];
  const key = first?.kind === 'object' ? first.entries.find(([name]) => isIdName(name))?.[0] : undefined;
  const [before, after] = [identities(old.items, key), identities(now.items, key)];
  if (!before || !after) {
    compareByIndex(old, now, `${path}[]`, differences);
    return;
  }
  const newIndexes = new Map(after.map((id, index) => [id, index]));
  const oldIds = new Set(before);
  const newIds = after.filter((id) => !oldIds.has(id));
  let last = -1;
  for (const [index, id] of before.entries()) {
    const newIndex = newIndexes.get(id);
    const [item, other] = [old.items[index], now.items[newIndex ?? -1]];
    if (newIndex === undefined || !item || !other) {
      // Does not compare the other properties of different items.
      const newId = newIds.shift();
      if (newId !== undefined) differences.add('value', key === undefined ? `${path}[]` : `${path}[].${key}`, id, newId);
      continue;
    }
    if (newIndex < last) differences.add('array order', path, '', '');
    last = newIndex;
    compareJson(item, other, `${path}[]`, differences);
  }
}

/** Adds the differences between two JSON values, in content and in notation. */
export function compareJson(old: JsonNode, now: JsonNode, path: string, differences: Differences): void {
  if (old.kind === 'object' && now.kind === 'object') compareObjects(old, now, path, differences);
  else if (old.kind === 'array' && now.kind === 'array') compareArrays(old, now, path, differences);
  else if (old.kind !== now.kind) differences.add('type', path, shortForm(old), shortForm(now));
  else if ('raw' in old && 'raw' in now && old.raw !== now.raw) {
    const isSame = JSON.parse(old.raw) === JSON.parse(now.raw);
    differences.add(isSame ? (old.kind === 'text' ? 'text form' : 'number form') : 'value', path, old.raw, now.raw);
  }
}
