import { hash } from 'node:crypto';
import { type Expression, sql as raw } from 'kysely';
import { type CacheDescription, createCache, describeCache } from '../caches.js';
import type { Row } from '../declare/row.js';
import type { Pools } from '../pools.js';
import { placeholder, type Statement } from '../statement.js';

/**
 * Row version that a transaction with a single write created. It consists of the transaction ID (`xmin`) and the time of the write, in Unix
 * seconds with microseconds. Only the combination is unique. Transaction IDs repeat after a wraparound or a failover to a lagging standby.
 * Writes that bypass the service do not change the time.
 */
export interface RowVersion {
  transactionId: number;
  writtenAt: number;
}

const writeTimeSql = raw`date_part('epoch', updated_at)`;

/** Columns with the version of a written row. */
export const versionColumns = [raw`xmin`.as('$by'), writeTimeSql.as('$at')];

/** Extracts the version from a returned row. */
const versionOf = ({ $by, $at }: Row): RowVersion => ({ transactionId: Number($by), writtenAt: Number($at) });

/**
 * Returns the SQL condition that the row still has the given version. The placeholders for the version follow those for the `valueCount`
 * values of the write.
 */
export const hasVersion = (valueCount: number): Expression<boolean> =>
  raw<boolean>`xmin = ${placeholder(valueCount + 1)}::xid and ${writeTimeSql} = ${placeholder(valueCount + 2)}::float8`;

/** Returns the values for the placeholders of `hasVersion`. */
export const versionValues = ({ transactionId, writtenAt }: RowVersion): readonly [number, number] => [transactionId, writtenAt];

const cacheDescription: CacheDescription = {
  name: 'row versions, keyed by hashes of the written values',
  limit: '20,000 per database',
  validity: 'the row changes, which every use checks in the database',
};

describeCache(cacheDescription);

const createVersionCache = () => createCache<string, RowVersion>(cacheDescription, { max: 20_000 });

/** Row versions that writes of this process created, in one cache per database. */
const versionCaches = new WeakMap<Pools, ReturnType<typeof createVersionCache>>();

/**
 * Estimates from the recent hit rate whether a lookup by the cached version pays off. A miss costs more than twice as much time as a hit
 * saves. The hit rate is low if several processes write the same rows.
 */
export class HitRate {
  #misses = 0;
  #skips = 0;

  /** False for hit rates below three quarters, except on every 16th call. */
  get isLookupWorthwhile(): boolean {
    return this.#misses < 12 || ++this.#skips % 16 === 0;
  }

  record(isHit: boolean): void {
    this.#misses = isHit ? Math.max(this.#misses - 1, 0) : Math.min(this.#misses + 3, 24);
  }
}

const hitRates = new WeakMap<Statement, HitRate>();

/** Detects a repeated write by comparing the row version with the one that the previous identical write created. */
export class RepeatedWrite {
  readonly #cache: ReturnType<typeof createVersionCache>;
  readonly #key: string;
  readonly #hitRate: HitRate;
  readonly #cachedVersion: RowVersion | undefined;

  constructor(pools: Pools, statement: Statement, values: readonly unknown[]) {
    this.#cache = versionCaches.get(pools) ?? createVersionCache();
    versionCaches.set(pools, this.#cache);
    this.#hitRate = hitRates.get(statement) ?? new HitRate();
    hitRates.set(statement, this.#hitRate);
    this.#key = hash('sha256', `${statement.number} ${JSON.stringify(values)}`, 'binary');
    this.#cachedVersion = this.#cache.get(this.#key);
  }

  /** Version that the previous identical write created. Null if it is unknown or probably outdated. */
  get expectedVersion(): RowVersion | null {
    return this.#cachedVersion && this.#hitRate.isLookupWorthwhile ? this.#cachedVersion : null;
  }

  /** Counts a lookup. It is a hit if the row still had the cached version. */
  recordLookup(isHit: boolean): void {
    this.#hitRate.record(isHit);
  }

  /**
   * Caches the version that the write created, or deletes the cache entry if there is no row. Updates entries in place: thousands of new
   * objects that reach the old generation would make garbage collection expensive.
   */
  cacheVersion(row: Row | undefined): void {
    if (!row) this.#cache.delete(this.#key);
    else if (this.#cachedVersion) Object.assign(this.#cachedVersion, versionOf(row));
    else this.#cache.set(this.#key, versionOf(row));
  }
}
