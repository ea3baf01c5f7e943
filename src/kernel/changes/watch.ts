import { problem } from '../declare/errors.js';
import type { Change } from './change.js';
import type { ChangePlace } from './cursor.js';

/** Told instead of what was missed, where the log does not have it any more: what is shown must be read anew. */
export interface ReadAnew {
  readonly kind: 'CHANGES_MISSED';
  /** From where on nothing is missed, in this log. */
  readonly position: number;
  readonly log: string;
}

/** What is told to who watches. */
export type Told = Change | ReadAnew;

/** So many changes may wait for who reads them. */
const most = 1_000;

/** Gives what comes next of what was missed; with `isLast`, what comes behind it is told. */
export type Pull = () => Promise<{ told: readonly Told[]; isLast: boolean }>;

/** Changes for one who waits for them, in their order: an iterator that ends when it is told to, and fails when it is read too slowly. */
export class Watch implements AsyncIterableIterator<Told> {
  /** Which log the changes are of that come next. */
  log: string;
  readonly #waiting: Told[] = [];
  #asking: { resolve(result: IteratorResult<Told>): void; reject(error: Error): void } | null = null;
  #error: Error | null = null;
  #isOver = false;
  #isOverrun = false;
  #pull: Pull | null;
  /** Up to where it knows everything: its place may be ahead of what this process has read. */
  #known: number;

  constructor(
    /** Where it began: changes up to there are not told. */
    readonly start: ChangePlace,
    readonly onEnd: (watch: Watch) => void,
    pull: Pull | null = null,
  ) {
    this.#pull = pull;
    this.#known = start.position;
    this.log = start.log;
  }

  /** How many changes wait to be read. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Whether nothing of what was missed is still to be read. */
  get isUpToDate(): boolean {
    return this.#pull === null;
  }

  /** Whether it has failed, and nobody was told so yet. */
  get hasFailed(): boolean {
    return this.#error !== null;
  }

  /** Whether it failed because more came than may wait. */
  get isOverrun(): boolean {
    return this.#isOverrun;
  }

  /** Hands on what was told. */
  tell(told: Told): void {
    if (this.#isOver) return;
    if (told.kind === 'CHANGES_MISSED') this.#known = told.position;
    else if (told.position <= this.#known) return;
    if (this.#asking) {
      const { resolve } = this.#asking;
      this.#asking = null;
      resolve(this.#told(told));
    } else if (this.#waiting.length < most) this.#waiting.push(told);
    else {
      this.#isOverrun = true;
      this.fail(problem('UNAVAILABLE', 'the changes are not read as fast as they come: come back with the last cursor'));
    }
  }

  /** Hands on what it has missed behind a position up to which it knows everything, as much as that may be. */
  missed(told: readonly Told[], known: number): void {
    this.#known = known;
    this.#waiting.push(...told);
  }

  #told(told: Told): IteratorResult<Told> {
    if (told.kind === 'CHANGES_MISSED') this.log = told.log;
    return { done: false, value: told };
  }

  /** Ends it with an error; what waits is not told. */
  fail(error: Error): void {
    this.#waiting.length = 0;
    this.#error = error;
    this.#finish();
  }

  /** Ends it once what waits has been read. */
  end(): void {
    this.#finish();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onEnd(this);
    const asking = this.#asking;
    this.#asking = null;
    if (asking) void this.next().then(asking.resolve, asking.reject);
  }

  next(): Promise<IteratorResult<Told>> {
    const told = this.#waiting.shift();
    if (told) return Promise.resolve(this.#told(told));
    if (this.#error) {
      const error = this.#error;
      this.#error = null;
      return Promise.reject(error);
    }
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    if (this.#pull) return this.#pulled(this.#pull);
    return new Promise((resolve, reject) => {
      this.#asking = { resolve, reject };
    });
  }

  async #pulled(pull: Pull): Promise<IteratorResult<Told>> {
    const { told, isLast } = await pull();
    if (isLast) this.#pull = null;
    // What was told meanwhile comes behind it.
    if (!this.#isOver) this.#waiting.unshift(...told);
    return this.next();
  }

  return(): Promise<IteratorResult<Told>> {
    this.#waiting.length = 0;
    this.#finish();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
