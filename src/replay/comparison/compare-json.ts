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

function compareObjects(oldObject: JsonObject, newObject: JsonObject, path: string, differences: Differences): void {
  const [before, after] = [entriesByKey(oldObject), entriesByKey(newObject)];
  const keyPath = (key: string) => (path ? `${path}.${key}` : key);
  for (const [key, value] of before) {
    const newValue = after.get(key);
    if (newValue) compareJson(value, newValue, keyPath(key), differences);
    else differences.add('missing key', keyPath(key), shortForm(value), '');
  }
  for (const [key, value] of after) if (!before.has(key)) differences.add('extra key', keyPath(key), '', shortForm(value));
  const [sharedKeys, newOrder] = [
    [...before.keys()].filter((key) => after.has(key)),
    [...after.keys()].filter((key) => before.has(key)),
  ];
  if (sharedKeys.some((key, index) => key !== newOrder[index]))
    differences.add('key order', path, sharedKeys.join(', '), newOrder.join(', '));
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
function compareByIndex(oldArray: JsonArray, newArray: JsonArray, path: string, differences: Differences): void {
  for (const [index, item] of oldArray.items.entries()) {
    const newItem = newArray.items[index];
    if (newItem) compareJson(item, newItem, path, differences);
  }
}

function compareArrays(oldArray: JsonArray, newArray: JsonArray, path: string, differences: Differences): void {
  if (oldArray.items.length !== newArray.items.length)
    differences.add('array length', path, `${oldArray.items.length}`, `${newArray.items.length}`);
  const first = oldArray.items[0];
  const key = first?.kind === 'object' ? first.entries.find(([name]) => isIdName(name))?.[0] : undefined;
  const [before, after] = [identities(oldArray.items, key), identities(newArray.items, key)];
  if (!before || !after) {
    compareByIndex(oldArray, newArray, `${path}[]`, differences);
    return;
  }
  const newIndexes = new Map(after.map((id, index) => [id, index]));
  const oldIds = new Set(before);
  const newIds = after.filter((id) => !oldIds.has(id));
  let last = -1;
  for (const [index, id] of before.entries()) {
    const newIndex = newIndexes.get(id);
    const [item, newItem] = [oldArray.items[index], newArray.items[newIndex ?? -1]];
    if (newIndex === undefined || !item || !newItem) {
      // Does not compare the other properties of different items.
      const newId = newIds.shift();
      if (newId !== undefined) differences.add('value', key === undefined ? `${path}[]` : `${path}[].${key}`, id, newId);
      continue;
    }
    if (newIndex < last) differences.add('array order', path, '', '');
    last = newIndex;
    compareJson(item, newItem, `${path}[]`, differences);
  }
}

/** Adds the differences between two JSON values, in content and in notation. */
export function compareJson(oldNode: JsonNode, newNode: JsonNode, path: string, differences: Differences): void {
  if (oldNode.kind === 'object' && newNode.kind === 'object') compareObjects(oldNode, newNode, path, differences);
  else if (oldNode.kind === 'array' && newNode.kind === 'array') compareArrays(oldNode, newNode, path, differences);
  else if (oldNode.kind !== newNode.kind) differences.add('type', path, shortForm(oldNode), shortForm(newNode));
  else if ('raw' in oldNode && 'raw' in newNode && oldNode.raw !== newNode.raw) {
    const isSame = JSON.parse(oldNode.raw) === JSON.parse(newNode.raw);
    differences.add(isSame ? (oldNode.kind === 'text' ? 'text form' : 'number form') : 'value', path, oldNode.raw, newNode.raw);
  }
}
