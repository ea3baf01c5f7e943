import { readSql } from '../facts.js';
import { is } from '../row-shape.js';
import { type Pools, Session } from '../session.js';

/** Time for which a version is used without a query, in milliseconds. Cached data is outdated by at most this time and one statement. */
const lifetime = 500;

const statement = 'select version from kept_version';

/** Version of the tables that processes cache. Every transaction that writes to one of them changes it (migration 33). */
class KeptVersion {
  #known = '';
  #since = Number.NEGATIVE_INFINITY;
  #asking: Promise<string> | null = null;

  constructor(readonly pools: Pools) {}

  now(): string | Promise<string> {
    if (performance.now() - this.#since < lifetime) return this.#known;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<string> {
    // Time before the query: the version includes all transactions that were committed before.
    const since = performance.now();
    const row = await new Session(this.pools, 'write').row(readSql(['kept_version'], statement), [], { version: is.text });
    this.#known = row?.version ?? '';
    this.#since = since;
    return this.#known;
  }
}

const versions = new WeakMap<Pools, KeptVersion>();

/**
 * Version of the cached tables, at most half a second old. Returned without a promise if it is recent enough. To fill a cache, read the version
 * first, then the rows, both from the primary, because replicas lag. UNAVAILABLE if the database cannot be reached.
 */
export function keptVersion(pools: Pools): string | Promise<string> {
  let version = versions.get(pools);
  if (!version) {
    version = new KeptVersion(pools);
    versions.set(pools, version);
  }
  return version.now();
}
