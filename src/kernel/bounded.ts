import { LRUCache } from 'lru-cache';

/** Description of data that a process caches in memory, for the list in docs/growing.md. */
export interface Remembered {
  /** Name of the cached data. */
  readonly what: string;
  /** Maximum size. */
  readonly most: string;
  /** When an entry becomes invalid, and why. */
  readonly until: string;
}

/** Caches of this process. Weak references, so that unused caches can be garbage-collected. */
const caches = new Set<{ what: string; cache: WeakRef<{ size: number }> }>();

/** Current number of entries of each cache. Several caches can have the same name. */
export function allCaches(): { what: string; entries: number }[] {
  return [...caches].flatMap((known) => {
    const cache = known.cache.deref();
    if (!cache) caches.delete(known);
    return cache ? [{ what: known.what, entries: cache.size }] : [];
  });
}

const remembered = new Map<string, Remembered>();

/** Descriptions of all cached data of this process, sorted by name. */
export const allRemembered = (): Remembered[] => [...remembered.values()].sort((a, b) => a.what.localeCompare(b.what, 'en'));

/** Describes cached data that is not in a cache of `bounded`. */
export const remember = (one: Remembered): void => void remembered.set(one.what, one);

/** Value of `until` for entries that follow from their keys alone, such as compiled texts. */
export const forGood = 'for good: no write changes it';

/** Creates an LRU cache and registers its description. All caches with many keys are created here. */
export function bounded<K extends object | string, V extends object | string | number | true, C = unknown>(
  one: Remembered,
  options: LRUCache.Options<K, V, C>,
): LRUCache<K, V, C> {
  remember(one);
  const cache = new LRUCache<K, V, C>(options);
  caches.add({ what: one.what, cache: new WeakRef(cache) });
  return cache;
}
