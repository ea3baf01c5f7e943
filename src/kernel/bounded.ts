import { LRUCache } from 'lru-cache';

/** Something that a process keeps in memory, as docs/growing.md lists it. */
export interface Remembered {
  /** What is kept. */
  readonly what: string;
  /** The most of it. */
  readonly most: string;
  /** Until when what is kept is given for true, and why no longer. */
  readonly until: string;
}

/** The caches of this process, as long as somebody uses them. */
const caches = new Set<{ what: string; cache: WeakRef<{ size: number }> }>();

/** How many entries every bounded cache has now; several of one kind are told one by one. */
export function allCaches(): { what: string; entries: number }[] {
  return [...caches].flatMap((known) => {
    const cache = known.cache.deref();
    if (!cache) caches.delete(known);
    return cache ? [{ what: known.what, entries: cache.size }] : [];
  });
}

const remembered = new Map<string, Remembered>();

/** Everything that this process keeps so far. */
export const allRemembered = (): Remembered[] => [...remembered.values()].sort((a, b) => a.what.localeCompare(b.what, 'en'));

/** Says what is kept by other means than a bounded cache. */
export const remember = (one: Remembered): void => void remembered.set(one.what, one);

/** Until when what follows from what it is kept by is kept: no write changes it. */
export const forGood = 'for good: no write changes it';

/** A cache that forgets the least used first, and says what it keeps: everything that is kept by many keys is kept in one of these. */
export function bounded<K extends object | string, V extends object | string | number | true, C = unknown>(
  one: Remembered,
  options: LRUCache.Options<K, V, C>,
): LRUCache<K, V, C> {
  remember(one);
  const cache = new LRUCache<K, V, C>(options);
  caches.add({ what: one.what, cache: new WeakRef(cache) });
  return cache;
}
