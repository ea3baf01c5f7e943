import { readSql } from '../facts.js';
import { is } from '../row-shape.js';
import { type Pools, Session } from '../session.js';

/** Time for which a version is used without a query, in milliseconds. Cached data is outdated by at most this time and one statement. */
const lifetime = 500;

const statement = 'select version from cache_version';

/** Reads the version on the connection of the session. */
export async function readCacheVersion(sql: Session): Promise<string> {
  const row = await sql.row(readSql(['cache_version'], statement), [], { version: is.text });
  return row?.version ?? '';
}

/** Version of the tables that processes cache. Every transaction that writes to one of them changes it (migration 2). */
class CacheVersion {
  #version = '';
  #readAt = Number.NEGATIVE_INFINITY;
  #pendingRead: Promise<string> | null = null;

  constructor(readonly pools: Pools) {}

  /** Version if it was read recently, or else null. */
  recent(): string | null {
    return performance.now() - this.#readAt < lifetime ? this.#version : null;
  }

  current(): string | Promise<string> {
    const recentVersion = this.recent();
    if (recentVersion !== null) return recentVersion;
    this.#pendingRead ??= this.#read().finally(() => {
      this.#pendingRead = null;
    });
    return this.#pendingRead;
  }

  async #read(): Promise<string> {
    // Time before the query: the version includes all transactions that were committed before.
    const startedAt = performance.now();
    this.#version = await readCacheVersion(new Session(this.pools, 'write'));
    this.#readAt = startedAt;
    return this.#version;
  }
}

const versions = new WeakMap<Pools, CacheVersion>();

/**
 * Version of the cached tables, at most half a second old. Returned without a promise if it is recent enough. To fill a cache, read the version
 * first, then the rows, both from the primary, because replicas lag. UNAVAILABLE if the database cannot be reached.
 */
export const cacheVersion = (pools: Pools): string | Promise<string> => versionOf(pools).current();

/** The same without a query. Null if the version is not recent enough. */
export const recentCacheVersion = (pools: Pools): string | null => versionOf(pools).recent();

function versionOf(pools: Pools): CacheVersion {
  const version = versions.get(pools) ?? new CacheVersion(pools);
  versions.set(pools, version);
  return version;
}
