import type { Pools } from '../pools.js';
import type { ResponseSources } from '../response-sources.js';
import { catalog } from './catalog-sql.js';
import type { Change } from './change.js';
import { type AskLog, type Behind, behind } from './log-sql.js';
import { type Source, Sources } from './sources.js';
import type { Tail } from './tail.js';

/** Position in the change log up to which all changes are committed. Statements that start later on the primary see all of them. */
export interface Moment {
  /** Positions of different epochs cannot be compared. */
  readonly epoch: number;
  readonly position: number;
}

/** Maximum number of unread changes to compare. With more, all records count as changed. */
const most = 200;

/** Minimum time between marks in milliseconds, and maximum number of marks. Replicas that lag further behind are not used. */
const apart = 100;
const mostMarks = 600;

/** The moment that the primary had reached at a position of its write-ahead log. */
interface Mark {
  readonly at: number;
  readonly written: number;
  readonly moment: Moment;
}

/**
 * Checks whether rows have changed since they were read.
 *
 * A read at a moment M saw every change up to the position of M, because the tail waits for all transactions that may have written such a
 * position. A response is therefore still valid if no later change of its records is committed. Changes up to the position T of the tail
 * are in memory. Changes after T are read from the primary, by one statement that starts after the check: it sees everything that any process
 * committed before. A transaction that is still open has no visible changes. Its positions are after T, because all transactions up to T have
 * ended, so the next check finds them. No check waits for open transactions, and none misses a change.
 */
export class Freshness {
  /** Position of the last change of each record. */
  readonly #last = new Map<string, number>();
  /** In order of time. */
  #marks: Mark[] = [];
  #epoch = 0;
  #sources: Sources | null = null;
  #shape = '';
  #learning: Promise<void> | null = null;
  #asking: Promise<Asked | null> | null = null;
  #next: Promise<Asked | null> | null = null;

  constructor(
    readonly pools: Pools,
    readonly tail: Tail,
  ) {}

  /** Moment of the tail, without a query. Null until `follow` has finished. */
  get moment(): Moment | null {
    const { place } = this.tail;
    return place && this.#sources && { epoch: this.#epoch, position: place.position };
  }

  /** Moment that a replica has reached which applied this much of the primary's write-ahead log. Null if unknown. */
  momentAt(applied: number | undefined): Moment | null {
    return this.#marks.findLast(({ written }) => written <= (applied ?? -1))?.moment ?? null;
  }

  mark(position: number, written: number): void {
    const [at, last] = [performance.now(), this.#marks.at(-1)];
    if (last && (last.moment.position === position || at - last.at < apart)) return;
    this.#marks.push({ at, written, moment: { epoch: this.#epoch, position } });
    if (this.#marks.length > mostMarks) this.#marks.splice(0, mostMarks / 2);
  }

  /** Starts following the log. Repeated calls have no effect. */
  follow(): void {
    if (!this.tail.place) void this.tail.look();
    if (!this.#sources) this.#learn();
  }

  /** Records that a response was read from. Null until the catalog is loaded. */
  sourceOf(reads: ResponseSources): Source | null {
    return this.#sources?.of(reads) ?? null;
  }

  hear(changes: readonly Change[]): void {
    for (const { record, position } of changes) this.#last.set(record, position);
  }

  /** Starts a new epoch, after a switch to another log. Earlier positions become invalid. */
  begin(): void {
    this.#epoch += 1;
    this.#marks = [];
    this.#last.clear();
  }

  /** Whether none of the records has changed since a moment. Calls after the commit of a write always see it. */
  async isUnchanged(records: readonly string[], since: Moment): Promise<boolean> {
    if (this.#hasChanged(records, since)) return false;
    const asked = await this.#ask();
    // Changes that the tail read during the statement are in memory only, because the statement reads after the old position.
    if (!asked || asked.epoch !== since.epoch || this.#hasChanged(records, since)) return false;
    return !records.some((record) => asked.records.has(record));
  }

  #hasChanged(records: readonly string[], { epoch, position }: Moment): boolean {
    return epoch !== this.#epoch || !this.#sources || records.some((record) => (this.#last.get(record) ?? 0) > position);
  }

  /** Changes after the tail, by a statement that starts after this call. Calls during a running statement share the next one. */
  #ask(): Promise<Asked | null> {
    if (!this.#asking) return this.#begin();
    this.#next ??= this.#asking.then(() => {
      this.#next = null;
      return this.#begin();
    });
    return this.#next;
  }

  #begin(): Promise<Asked | null> {
    this.#asking = this.#behind()
      // The caller then queries the database itself, and gets its error.
      .catch(() => null)
      .finally(() => {
        this.#asking = null;
      });
    return this.#asking;
  }

  async #behind(): Promise<Asked | null> {
    const { place } = this.tail;
    const epoch = this.#epoch;
    const found: Behind | null = place && (await behind(await this.#primary(), place, most));
    if (!found) return null;
    if (found.shape === this.#shape) return { epoch, records: new Set(found.records) };
    this.#sources = null;
    this.begin();
    this.#learn();
    return null;
  }

  /** Loads the catalog of the database, at start and after a migration. */
  #learn(): void {
    this.#learning ??= this.#primary()
      .then(catalog)
      .then(
        ({ logged, shape }) => {
          this.#shape = shape;
          this.#sources = new Sources(logged);
        },
        // Retried by the next check.
        () => undefined,
      )
      .finally(() => {
        this.#learning = null;
      });
  }

  async #primary(): Promise<AskLog> {
    const pool = await this.pools.pool();
    return (text, values) => pool.query(text, values);
  }
}

interface Asked {
  readonly epoch: number;
  readonly records: ReadonlySet<string>;
}
