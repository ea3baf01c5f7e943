import { hash } from 'node:crypto';
import { type Expression, sql as raw } from 'kysely';
import { bounded, type Remembered, remember } from '../bounded.js';
import type { Row } from '../declare/row.js';
import type { Pools } from '../pools.js';
import { type Statement, slot } from '../statement.js';

/**
 * The version of a row that a write left behind, which was alone in its transaction: the number of that, and when it was written, in seconds of
 * Unix time, to the microsecond. Both together are never those of another version, in whichever way that came to be: numbers of transactions may
 * come back, also where a standby takes over that had not heard of the last ones, and instants stay where somebody writes past the service.
 */
export interface Left {
  by: number;
  at: number;
}

const time = raw`date_part('epoch', updated_at)`;

/** What a write returns beside its row, so that the version is known that it left. */
export const leaving = [raw`xmin`.as('$by'), time.as('$at')];

/** The version that a write left, by its row. */
const leftBy = ({ $by, $at }: Row): Left => ({ by: Number($by), at: Number($at) });

/** That a row is the version left, whose values come behind as many others; it may have been changed since. */
export const isAsLeft = (others: number): Expression<boolean> =>
  raw<boolean>`xmin = ${slot(others + 1)}::xid and ${time} = ${slot(others + 2)}::float8`;

/** The values of that. */
export const valuesOfLeft = ({ by, at }: Left): readonly [number, number] => [by, at];

const kept: Remembered = {
  what: 'versions of rows that writes left, by hashes of these',
  most: '20,000 a database',
  until: 'the row is changed, which the database is asked for with each use',
};

remember(kept);

const make = () => bounded<string, Left>(kept, { max: 20_000 });

/** By whose pools, what the writes of this process left. */
const left = new WeakMap<Pools, ReturnType<typeof make>>();

/**
 * Whether it is worth it to look for the version left, by how often it was there: a look in vain costs more than twice what one that finds it
 * saves. Where several processes write the same rows, the last one was mostly another.
 */
export class Odds {
  #lost = 0;
  #passed = 0;

  /** Below three of four it is not, but for a look now and then. */
  get areGood(): boolean {
    return this.#lost < 12 || ++this.#passed % 16 === 0;
  }

  tell(isFound: boolean): void {
    this.#lost = isFound ? Math.max(this.#lost - 1, 0) : Math.min(this.#lost + 3, 24);
  }
}

const odds = new WeakMap<Statement, Odds>();

/** What a write that is the same again goes by. */
export class Again {
  readonly #all: ReturnType<typeof make>;
  readonly #key: string;
  readonly #odds: Odds;
  readonly #known: Left | undefined;

  /** A write is the same by its statement, and the values that it would put into a row that is there. */
  constructor(pools: Pools, statement: Statement, values: readonly unknown[]) {
    this.#all = left.get(pools) ?? make();
    left.set(pools, this.#all);
    this.#odds = odds.get(statement) ?? new Odds();
    odds.set(statement, this.#odds);
    this.#key = hash('sha256', `${statement.number} ${JSON.stringify(values)}`, 'binary');
    this.#known = this.#all.get(this.#key);
  }

  /** The version that it left last time; null where it is not known, or probably gone. */
  get left(): Left | null {
    return this.#known && this.#odds.areGood ? this.#known : null;
  }

  /** Learns whether the version was still there. */
  tell(isFound: boolean): void {
    this.#odds.tell(isFound);
  }

  /**
   * Keeps which version it left in its row; without one, nothing of it. In place: where thousands of rows come again and again, what is made anew
   * for each of them is old when it goes, and dear to collect.
   */
  leaves(row: Row | undefined): void {
    if (!row) this.#all.delete(this.#key);
    else if (this.#known) Object.assign(this.#known, leftBy(row));
    else this.#all.set(this.#key, leftBy(row));
  }
}
