import { readSql } from '../facts.js';
import { is } from '../row-shape.js';
import { type Pools, Session } from '../session.js';

/** Time for which a version is used without a query, in milliseconds. Cached data is outdated by at most this time and one statement. */
const lifetime = 500;

const statement = 'select version from kept_version';

/** Version of the tables that processes cache. Every transaction that writes to one of them changes it (migration 33). */
class CacheVersion {
  #version = '';
  #readAt = Number.NEGATIVE_INFINITY;
  #pendingRead: Promise<string> | null = null;

  constructor(readonly pools: Pools) {}

  current(): string | Promise<string> {
    if (performance.now() - this.#readAt < lifetime) return this.#version;
    this.#pendingRead ??= this.#read().finally(() => {
      this.#pendingRead = null;
    });
    return this.#pendingRead;
  }

  async #read(): Promise<string> {
    // Time before the query: the version includes all transactions that were committed before.
    const startedAt = performance.now();
    const row = await new Session(this.pools, 'write').row(readSql(['kept_version'], statement), [], { version: is.text });
    this.#version = row?.version ?? '';
    this.#readAt = startedAt;
    return this.#version;
  }
}

const versions = new WeakMap<Pools, CacheVersion>();

/**
 * Version of the cached tables, at most half a second old. Returned without a promise if it is recent enough. To fill a cache, read the version
 * first, then the rows, both from the primary, because replicas lag. UNAVAILABLE if the database cannot be reached.
 */
export function cacheVersion(pools: Pools): string | Promise<string> {
  let version = versions.get(pools);
  if (!version) {
    version = new CacheVersion(pools);
    versions.set(pools, version);
  }
  return version.current();
}
