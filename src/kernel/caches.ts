import { LRUCache } from 'lru-cache';

/** Description of data that a process caches in memory, for the list in docs/growing.md. */
export interface CacheDescription {
  /** Name of the cached data. */
  readonly name: string;
  /** Maximum size, such as `2,000 statements`. */
  readonly limit: string;
  /** Event that makes entries invalid, such as `the database is migrated`. */
  readonly validity: string;
}

/** Caches of this process. Weak references allow unused caches to be garbage-collected. */
const registeredCaches = new Set<{ name: string; cache: WeakRef<{ size: number }> }>();

/** Returns the current number of entries in each cache. Several caches can have the same name. */
export function cacheSizes(): { name: string; entries: number }[] {
  return [...registeredCaches].flatMap((entry) => {
    const cache = entry.cache.deref();
    if (!cache) registeredCaches.delete(entry);
    return cache ? [{ name: entry.name, entries: cache.size }] : [];
  });
}

const descriptions = new Map<string, CacheDescription>();

/** Returns the descriptions of all cached data of this process, sorted by name. */
export const allCacheDescriptions = (): CacheDescription[] =>
  [...descriptions.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Registers a description of cached data that does not use `createCache`. */
export const describeCache = (description: CacheDescription): void => void descriptions.set(description.name, description);

/** Value of `validity` for entries that depend only on their keys, such as compiled statements. */
export const validForever = 'the process ends';

/** Creates an LRU cache and registers its description. Caches with many keys must be created with this function. */
export function createCache<K extends object | string, V extends object | string | number | true, C = unknown>(
  description: CacheDescription,
  options: LRUCache.Options<K, V, C>,
): LRUCache<K, V, C> {
  describeCache(description);
  const cache = new LRUCache<K, V, C>(options);
  registeredCaches.add({ name: description.name, cache: new WeakRef(cache) });
  return cache;
}
