import type { Differences } from './differences.js';
import type { JsonNode } from './json-text.js';

type JsonObject = Extract<JsonNode, { kind: 'object' }>;
type JsonArray = Extract<JsonNode, { kind: 'array' }>;

/** Describes a value in a few words: the keys of an object, the length of an array, or the notation of a scalar. */
function describeNode(node: JsonNode): string {
  if (node.kind === 'object') return `{ ${node.entries.map(([key]) => key).join(', ')} }`;
  return node.kind === 'array' ? `[ ${node.items.length} ]` : node.raw;
}

/** Returns the entries of an object, keyed by name. Duplicate keys get a number, such as `id (2)`. */
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
  const [oldEntries, newEntries] = [entriesByKey(oldObject), entriesByKey(newObject)];
  const keyPath = (key: string) => (path ? `${path}.${key}` : key);
  for (const [key, value] of oldEntries) {
    const newValue = newEntries.get(key);
    if (newValue) compareJson(value, newValue, keyPath(key), differences);
    else differences.add('missing key', keyPath(key), describeNode(value), '');
  }
  for (const [key, value] of newEntries)
    if (!oldEntries.has(key)) differences.add('extra key', keyPath(key), '', describeNode(value));
  const [sharedKeys, newOrder] = [
    [...oldEntries.keys()].filter((key) => newEntries.has(key)),
    [...newEntries.keys()].filter((key) => oldEntries.has(key)),
  ];
  if (sharedKeys.some((key, index) => key !== newOrder[index]))
    differences.add('key order', path, sharedKeys.join(', '), newOrder.join(', '));
}

/** Whether a key is the name of an ID, such as `uuid`, `team_id` or `teamId`. */
export const isIdName = (key: string): boolean => /(?:^|_)(?:uu)?id$|(?:Id|ID|Uuid)$/.test(key);

/** Returns the IDs of array items: the value of `key` for objects, and the notation of scalars. Null if an ID is missing or not unique. */
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
  const [oldIds, newIds] = [identities(oldArray.items, key), identities(newArray.items, key)];
  if (!oldIds || !newIds) {
    compareByIndex(oldArray, newArray, `${path}[]`, differences);
    return;
  }
  const newIndexes = new Map(newIds.map((id, index) => [id, index]));
  const oldIdSet = new Set(oldIds);
  const addedIds = newIds.filter((id) => !oldIdSet.has(id));
  let previousIndex = -1;
  for (const [index, id] of oldIds.entries()) {
    const newIndex = newIndexes.get(id);
    const [item, newItem] = [oldArray.items[index], newArray.items[newIndex ?? -1]];
    if (newIndex === undefined || !item || !newItem) {
      // Only the mismatched IDs are reported. The other properties of these items are not compared.
      const addedId = addedIds.shift();
      if (addedId !== undefined) differences.add('value', key === undefined ? `${path}[]` : `${path}[].${key}`, id, addedId);
      continue;
    }
    if (newIndex < previousIndex) differences.add('array order', path, '', '');
    previousIndex = newIndex;
    compareJson(item, newItem, `${path}[]`, differences);
  }
}

/** Adds all differences between two JSON values to `differences`, including different notations of equal values. */
export function compareJson(oldNode: JsonNode, newNode: JsonNode, path: string, differences: Differences): void {
  if (oldNode.kind === 'object' && newNode.kind === 'object') compareObjects(oldNode, newNode, path, differences);
  else if (oldNode.kind === 'array' && newNode.kind === 'array') compareArrays(oldNode, newNode, path, differences);
  else if (oldNode.kind !== newNode.kind) differences.add('type', path, describeNode(oldNode), describeNode(newNode));
  else if ('raw' in oldNode && 'raw' in newNode && oldNode.raw !== newNode.raw) {
    const isSame = JSON.parse(oldNode.raw) === JSON.parse(newNode.raw);
    differences.add(isSame ? (oldNode.kind === 'text' ? 'text form' : 'number form') : 'value', path, oldNode.raw, newNode.raw);
  }
}
