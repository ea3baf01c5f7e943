import { type CachedConnection, mergePages } from './merge-pages.js';

/** Data about the schema that normalized caches need. */
export interface CacheShape {
  /** Object types of each interface and union, keyed by its name. */
  readonly possibleTypes: Readonly<Record<string, readonly string[]>>;
  /** Object types without an ID, such as `Place`. Caches store their objects in the parent object. */
  readonly values: readonly string[];
  /** Connection types, such as `TeamConnection`. */
  readonly connections: readonly string[];
  /** Arguments that identify a cached list, keyed by type and field. Contains all fields that return a connection. */
  readonly lists: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Type of the record that a mutation deletes and returns, keyed by mutation. */
  readonly deletions: Readonly<Record<string, string>>;
  /** Types of other deleted records, keyed by mutation and by the result field that contains their IDs, such as `deletedTeamIds`. */
  readonly deletedIds: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface ConnectionPolicy {
  keyArgs: string[];
  merge(
    existing: CachedConnection | undefined,
    incoming: CachedConnection,
    options: { args: Record<string, unknown> | null },
  ): CachedConnection;
}

interface TypePolicy {
  keyFields?: false;
  merge?: true;
  fields?: Record<string, ConnectionPolicy>;
}

export interface ApolloOptions {
  possibleTypes: Record<string, string[]>;
  typePolicies: Record<string, TypePolicy>;
}

export function apolloOptions({ possibleTypes, values, connections, lists }: CacheShape): ApolloOptions {
  const typePolicies: Record<string, TypePolicy> = {};
  for (const name of values) typePolicies[name] = { keyFields: false, merge: true };
  for (const name of connections) typePolicies[name] = { keyFields: false };
  for (const [type, fields] of Object.entries(lists)) {
    const policies = Object.entries(fields).map(([field, keyArgs]): [string, ConnectionPolicy] => [
      field,
      { keyArgs: [...keyArgs], merge: (existing, incoming, { args }) => mergePages(existing, incoming, args) },
    ]);
    typePolicies[type] = { ...typePolicies[type], fields: Object.fromEntries(policies) };
  }
  return {
    possibleTypes: Object.fromEntries(Object.entries(possibleTypes).map(([name, types]) => [name, [...types]])),
    typePolicies,
  };
}

/** The methods of Graphcache's cache that the SDK uses. */
interface InvalidatingCache {
  invalidate(entity: { __typename: string; id: string }): void;
}

type KeyOf = (record: { readonly id?: unknown }) => string | null;

export interface UrqlOptions {
  keys: Record<string, KeyOf>;
  // biome-ignore lint/suspicious/noExplicitAny: the results of all mutations
  updates: { Mutation: Record<string, (result: any, args: any, cache: InvalidatingCache) => void> };
}

export function urqlOptions({ values, connections, deletions, deletedIds }: CacheShape): UrqlOptions {
  // Deleted records get no key, because Graphcache would otherwise read them from the cache, where they are null.
  const deleted = new WeakSet<object>();
  const keyOfRecord: KeyOf = (record) => (deleted.has(record) || typeof record.id !== 'string' ? null : record.id);
  const Mutation: UrqlOptions['updates']['Mutation'] = {};
  for (const mutation of new Set([...Object.keys(deletions), ...Object.keys(deletedIds)])) {
    const [type, idFields] = [deletions[mutation], Object.entries(deletedIds[mutation] ?? {})];
    Mutation[mutation] = (result, _, cache) => {
      for (const record of [result[mutation]].flat()) {
        if (!record) continue;
        for (const [field, __typename] of idFields)
          for (const id of [record[field] ?? []].flat()) cache.invalidate({ __typename, id });
        if (!type || !record.id) continue;
        cache.invalidate({ __typename: type, id: record.id });
        deleted.add(record);
      }
    };
  }
  const keys: UrqlOptions['keys'] = {};
  for (const type of Object.values(deletions)) keys[type] = keyOfRecord;
  for (const name of [...values, ...connections]) keys[name] = () => null;
  return { keys, updates: { Mutation } };
}

export interface RelayOptions {
  getDataID(record: Readonly<Record<string, unknown>>, typeName: string): string;
}

/**
 * Returns options for Relay. The key of a record in the store is its globally unique `nodeId`, or its type and ID if it has no `nodeId`.
 */
export function relayOptions({ values }: CacheShape): RelayOptions {
  const isValue = new Set(values);
  return {
    getDataID(record, typeName) {
      if (typeof record.nodeId === 'string') return record.nodeId;
      // If the key is undefined, Relay generates a key from the path of the record.
      return (typeof record.id === 'string' && !isValue.has(typeName) ? `${typeName}:${record.id}` : undefined) as string;
    },
  };
}

/** Value of the Relay compiler option `schemaConfig`. It makes the compiler add `nodeId` to the selections of records. */
export const schemaConfig = { nodeInterfaceIdField: 'nodeId', nodeInterfaceIdVariableName: 'id' };
