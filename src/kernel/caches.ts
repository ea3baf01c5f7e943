import { LRUCache } from 'lru-cache';

/** Description of data that a process caches in memory, for the list in docs/growing.md. */
export interface CacheDescription {
  /** Name of the cached data. */
  readonly name: string;
  /** Maximum size. */
  readonly limit: string;
  /** When an entry becomes invalid, and why. */
  readonly validity: string;
}

/** Caches of this process. Weak references, so that unused caches can be garbage-collected. */
const registeredCaches = new Set<{ name: string; cache: WeakRef<{ size: number }> }>();

/** Current number of entries of each cache. Several caches can have the same name. */
export function cacheSizes(): { name: string; entries: number }[] {
  return [...registeredCaches].flatMap((entry) => {
    const cache = entry.cache.deref();
    if (!cache) registeredCaches.delete(entry);
    return cache ? [{ name: entry.name, entries: cache.size }] : [];
  });
}

const descriptions = new Map<string, CacheDescription>();

/** Descriptions of all cached data of this process, sorted by name. */
export const allCacheDescriptions = (): CacheDescription[] =>
  [...descriptions.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Describes cached data that is not in a cache of `createCache`. */
export const describeCache = (description: CacheDescription): void => void descriptions.set(description.name, description);

/** Value of `until` for entries that follow from their keys alone, such as compiled texts. */
export const validForever = 'the process ends';

/** Creates an LRU cache and registers its description. All caches with many keys are created here. */
export function createCache<K extends object | string, V extends object | string | number | true, C = unknown>(
  description: CacheDescription,
  options: LRUCache.Options<K, V, C>,
): LRUCache<K, V, C> {
  describeCache(description);
  const cache = new LRUCache<K, V, C>(options);
  registeredCaches.add({ name: description.name, cache: new WeakRef(cache) });
  return cache;
}
