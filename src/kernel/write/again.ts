import { hash } from 'node:crypto';
import { type Expression, sql as raw } from 'kysely';
import { type CacheDescription, createCache, describeCache } from '../caches.js';
import type { Row } from '../declare/row.js';
import type { Pools } from '../pools.js';
import { type Statement, slot } from '../statement.js';

/**
 * Row version that a single-write transaction created: the transaction ID (`xmin`) and the time of the write, in Unix seconds with
 * microseconds. Only the pair is unique. Transaction IDs repeat after wraparound or a failover to a standby that lagged, and times stay the same
 * if the row is written without the service.
 */
export interface Left {
  by: number;
  at: number;
}

const time = raw`date_part('epoch', updated_at)`;

/** Columns that a write returns in addition to its row: the version that it created. */
export const leaving = [raw`xmin`.as('$by'), time.as('$at')];

/** Extracts the version from a returned row. */
const leftBy = ({ $by, $at }: Row): Left => ({ by: Number($by), at: Number($at) });

/** SQL condition: the row still has a cached version. Its placeholders follow those of `others` values. */
export const isAsLeft = (others: number): Expression<boolean> =>
  raw<boolean>`xmin = ${slot(others + 1)}::xid and ${time} = ${slot(others + 2)}::float8`;

/** Values of these placeholders. */
export const valuesOfLeft = ({ by, at }: Left): readonly [number, number] => [by, at];

const kept: CacheDescription = {
  name: 'versions of rows that writes left, by hashes of these',
  limit: '20,000 a database',
  validity: 'the row is changed, which the database is asked for with each use',
};

describeCache(kept);

const make = () => createCache<string, Left>(kept, { max: 20_000 });

/** Row versions that the writes of this process created, per database. */
const left = new WeakMap<Pools, ReturnType<typeof make>>();

/**
 * Estimates whether a check of the cached version pays off, from the recent hit rate. A miss costs more than twice what a hit saves. The hit rate
 * is low if several processes write the same rows.
 */
export class Odds {
  #lost = 0;
  #passed = 0;

  /** False for hit rates below three quarters, except for one try out of 16. */
  get areGood(): boolean {
    return this.#lost < 12 || ++this.#passed % 16 === 0;
  }

  tell(isFound: boolean): void {
    this.#lost = isFound ? Math.max(this.#lost - 1, 0) : Math.min(this.#lost + 3, 24);
  }
}

const odds = new WeakMap<Statement, Odds>();

/** Detects a repeated write, by the cached version that the previous identical write created. */
export class Again {
  readonly #all: ReturnType<typeof make>;
  readonly #key: string;
  readonly #odds: Odds;
  readonly #known: Left | undefined;

  /** Writes are identical if they have the same statement and values. */
  constructor(pools: Pools, statement: Statement, values: readonly unknown[]) {
    this.#all = left.get(pools) ?? make();
    left.set(pools, this.#all);
    this.#odds = odds.get(statement) ?? new Odds();
    odds.set(statement, this.#odds);
    this.#key = hash('sha256', `${statement.number} ${JSON.stringify(values)}`, 'binary');
    this.#known = this.#all.get(this.#key);
  }

  /** Version that the previous identical write created. Null if unknown or probably outdated. */
  get left(): Left | null {
    return this.#known && this.#odds.areGood ? this.#known : null;
  }

  /** Records whether the row still had the version. */
  tell(isFound: boolean): void {
    this.#odds.tell(isFound);
  }

  /**
   * Caches the version that the write created, or deletes the entry if there is no row. Updates entries in place: with thousands of repeated rows,
   * new objects would reach the old generation and make garbage collection expensive.
   */
  leaves(row: Row | undefined): void {
    if (!row) this.#all.delete(this.#key);
    else if (this.#known) Object.assign(this.#known, leftBy(row));
    else this.#all.set(this.#key, leftBy(row));
  }
}
