import { sqlForReading } from '../facts.js';
import { is } from '../row-shape.js';
import { type Pools, Session } from '../session.js';

/**
 * Time in milliseconds after which the version is read again. Cached data is stale for at most this time plus the duration of one
 * statement.
 */
const lifetime = 500;

const statement = 'select version from cache_version';

/** Reads the version on the session's connection. */
export async function readCacheVersion(sql: Session): Promise<string> {
  const row = await sql.row(sqlForReading(['cache_version'], statement), [], { version: is.text });
  return row?.version ?? '';
}

/** Version of the tables that processes cache. Every transaction that writes to one of these tables changes the version (migration 2). */
class CacheVersion {
  #version = '';
  #readAt = Number.NEGATIVE_INFINITY;
  #pendingRead: Promise<string> | null = null;

  constructor(readonly pools: Pools) {}

  /** Returns the version if it was read within the last `lifetime` milliseconds, or else null. */
  recentVersion(): string | null {
    return performance.now() - this.#readAt < lifetime ? this.#version : null;
  }

  /** Returns the version if it was read within the last `lifetime` milliseconds. Otherwise, reads it. */
  currentVersion(): string | Promise<string> {
    const recentVersion = this.recentVersion();
    if (recentVersion !== null) return recentVersion;
    this.#pendingRead ??= this.#read().finally(() => {
      this.#pendingRead = null;
    });
    return this.#pendingRead;
  }

  async #read(): Promise<string> {
    // The version includes all transactions that were committed before this time.
    const startedAt = performance.now();
    this.#version = await readCacheVersion(new Session(this.pools, 'write'));
    this.#readAt = startedAt;
    return this.#version;
  }
}

const versions = new WeakMap<Pools, CacheVersion>();

/**
 * Returns the version of the cached tables, at most half a second old. Returns a promise only if the version must be read. To fill a cache,
 * read the version and then the rows, both from the primary, because replicas lag. Throws UNAVAILABLE if the database cannot be reached.
 */
export const cacheVersion = (pools: Pools): string | Promise<string> => versionOf(pools).currentVersion();

/** Returns the version of the cached tables without a query. Null if it is more than half a second old. */
export const recentCacheVersion = (pools: Pools): string | null => versionOf(pools).recentVersion();

function versionOf(pools: Pools): CacheVersion {
  const version = versions.get(pools) ?? new CacheVersion(pools);
  versions.set(pools, version);
  return version;
}
