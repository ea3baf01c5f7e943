import type { Pools } from '../pools.js';
import type { Reads } from '../reads.js';
import { catalog } from './catalog-sql.js';
import type { Change } from './change.js';
import { type AskLog, type Behind, behind } from './log-sql.js';
import { type Source, Sources } from './sources.js';
import type { Tail } from './tail.js';

/** A moment in the log: everything up to its position is committed, and seen by every statement that is begun at the primary afterwards. */
export interface Moment {
  /** Positions of another epoch say nothing of it. */
  readonly epoch: number;
  readonly position: number;
}

/** More changes than these behind what has been read of the log are not looked through: something has changed, that is. */
const most = 200;

/** Marks are made so far apart, in milliseconds, and so many are kept: replicas are not read that are further behind. */
const apart = 100;
const mostMarks = 600;

/** Up to where everything was committed when the primary had written so much to its own log. */
interface Mark {
  readonly at: number;
  readonly written: number;
  readonly moment: Moment;
}

/**
 * Whether rows have changed since they were read.
 *
 * What was read in a moment M saw every change up to the position of M, since these are decided: told by the tail, which waits for each
 * transaction that may have written one of the positions given out. So an answer is still the same when no change of a record that it was
 * read from is committed behind M. Those up to the position T of the tail have all been told, and are in memory. Those behind T are asked for
 * at the primary, by one statement that begins when the question has been put: it sees whatever was committed before that, at any process. A
 * transaction that is open then has not changed anything that anybody could see; what it has written or will write stands behind T, since all
 * up to T is decided, and is found by the next question, in memory or behind what has been read by then. So nobody waits for open
 * transactions, and no change is missed.
 */
export class Freshness {
  /** The last change of each record that was told. */
  readonly #last = new Map<string, number>();
  /** The latest last. */
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

  /** This moment, as far as is known without looking; null before somebody follows the log. */
  get moment(): Moment | null {
    const { place } = this.tail;
    return place && this.#sources && { epoch: this.#epoch, position: place.position };
  }

  /** The moment of what a replica says that has applied so much of the log of the primary; null where that is not known. */
  momentAt(applied: number | undefined): Moment | null {
    return this.#marks.findLast(({ written }) => written <= (applied ?? -1))?.moment ?? null;
  }

  mark(position: number, written: number): void {
    const [at, last] = [performance.now(), this.#marks.at(-1)];
    if (last && (last.moment.position === position || at - last.at < apart)) return;
    this.#marks.push({ at, written, moment: { epoch: this.#epoch, position } });
    if (this.#marks.length > mostMarks) this.#marks.splice(0, mostMarks / 2);
  }

  /** Has this process follow the log from now on; it is done once. */
  follow(): void {
    if (!this.tail.place) void this.tail.look();
    if (!this.#sources) this.#learn();
  }

  /** What an answer was read from; null while that is not known. */
  sourceOf(reads: Reads): Source | null {
    return this.#sources?.of(reads) ?? null;
  }

  hear(changes: readonly Change[]): void {
    for (const { record, position } of changes) this.#last.set(record, position);
  }

  /** Another log is read: of what was said before, nothing holds. */
  begin(): void {
    this.#epoch += 1;
    this.#marks = [];
    this.#last.clear();
  }

  /** Whether of these records none has changed since a moment, whoever asks after a write is committed hears of it. */
  async isUnchanged(records: readonly string[], since: Moment): Promise<boolean> {
    if (this.#hasChanged(records, since)) return false;
    const asked = await this.#ask();
    // What was told meanwhile is in memory only: the statement asked for what lies behind what had been told before.
    if (!asked || asked.epoch !== since.epoch || this.#hasChanged(records, since)) return false;
    return !records.some((record) => asked.records.has(record));
  }

  #hasChanged(records: readonly string[], { epoch, position }: Moment): boolean {
    return epoch !== this.#epoch || !this.#sources || records.some((record) => (this.#last.get(record) ?? 0) > position);
  }

  /** What changed behind the tail, by a statement that begins after this was called: one for all who ask while another one runs. */
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
      // Who cannot be told asks the database itself, and hears of its trouble from there.
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

  /** Learns what there is in the database, once it is migrated anew. */
  #learn(): void {
    this.#learning ??= this.#primary()
      .then(catalog)
      .then(
        ({ logged, shape }) => {
          this.#shape = shape;
          this.#sources = new Sources(logged);
        },
        // Tried again when somebody asks next.
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
