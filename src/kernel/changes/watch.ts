import { problem } from '../declare/errors.js';
import type { Change } from './change.js';
import type { ChangePlace } from './cursor.js';

/** Event that replaces missed changes that the log no longer contains. The subscriber must reload its data. */
export interface ReadAnew {
  readonly kind: 'CHANGES_MISSED';
  /** No changes after this position of the log are missed. */
  readonly position: number;
  readonly log: string;
}

/** Event that a subscriber receives. */
export type Told = Change | ReadAnew;

/** Maximum number of queued events of a watch. */
const most = 1_000;

/** Reads the next missed events. `isLast` means that later events are sent to the watch directly. */
export type Pull = () => Promise<{ told: readonly Told[]; isLast: boolean }>;

/** Subscription to changes: an async iterator in the order of the log. It fails if the subscriber reads too slowly and the queue is full. */
export class Watch implements AsyncIterableIterator<Told> {
  /** ID of the log that contains the next changes. */
  log: string;
  readonly #waiting: Told[] = [];
  #asking: { resolve(result: IteratorResult<Told>): void; reject(error: Error): void } | null = null;
  #error: Error | null = null;
  #isOver = false;
  #isOverrun = false;
  #pull: Pull | null;
  /** Changes up to this position are skipped. It may be ahead of the position that this process has read. */
  #known: number;

  constructor(
    /** Initial position. Only later changes are sent. */
    readonly start: ChangePlace,
    readonly onEnd: (watch: Watch) => void,
    pull: Pull | null = null,
  ) {
    this.#pull = pull;
    this.#known = start.position;
    this.log = start.log;
  }

  /** Number of queued events. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Whether all missed events are read. */
  get isUpToDate(): boolean {
    return this.#pull === null;
  }

  /** Whether it has failed with an error that the subscriber has not received yet. */
  get hasFailed(): boolean {
    return this.#error !== null;
  }

  /** Whether it failed because the queue was full. */
  get isOverrun(): boolean {
    return this.#isOverrun;
  }

  /** Sends an event to the subscriber. */
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

  /** Queues missed events, without a limit. Later events up to `known` are skipped. */
  missed(told: readonly Told[], known: number): void {
    this.#known = known;
    this.#waiting.push(...told);
  }

  #told(told: Told): IteratorResult<Told> {
    if (told.kind === 'CHANGES_MISSED') this.log = told.log;
    return { done: false, value: told };
  }

  /** Ends the subscription with an error. Queued events are discarded. */
  fail(error: Error): void {
    this.#waiting.length = 0;
    this.#error = error;
    this.#finish();
  }

  /** Ends the subscription after the queued events. */
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
    // Events that arrived during the read come after these.
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
