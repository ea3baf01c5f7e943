import { createUnavailableError } from '../monitoring/unavailable.js';
import type { Change, ChangePosition } from './change.js';

/** Event that is sent instead of missed changes if the log no longer contains them. The subscriber must reload its data. */
interface ChangesMissedEvent {
  readonly kind: 'CHANGES_MISSED';
  /** Log position before the next change that is sent. */
  readonly position: number;
  readonly log: string;
}

/** Event that a subscriber receives. */
export type WatchEvent = Change | ChangesMissedEvent;

/** Maximum length of a watch's queue. Missed events can exceed this limit. */
const maxQueued = 1_000;

/** Reads the next missed events. If `isLast` is true, the watch receives all later events through `push`. */
type ReadMissedEvents = () => Promise<{ events: readonly WatchEvent[]; isLast: boolean }>;

/** Subscription to changes, as an async iterator in the order of the log. Fails if the subscriber reads too slowly and the queue is full. */
export class Watch implements AsyncIterableIterator<WatchEvent> {
  /** ID of the log that contains the next changes. */
  log: string;
  readonly #queue: WatchEvent[] = [];
  #pendingRead: { resolve(result: IteratorResult<WatchEvent>): void; reject(error: Error): void } | null = null;
  #error: Error | null = null;
  #isEnded = false;
  #hasOverflowed = false;
  #readMissedEvents: ReadMissedEvents | null;
  /** Changes up to this position are skipped. This position may be later than the last position that this process has read. */
  #skipUntil: number;

  constructor(
    /** Initial position. Only later changes are sent. */
    readonly start: ChangePosition,
    readonly onEnd: (watch: Watch) => void,
    readMissedEvents: ReadMissedEvents | null = null,
  ) {
    this.#readMissedEvents = readMissedEvents;
    this.#skipUntil = start.position;
    this.log = start.log;
  }

  /** Number of queued events. */
  get size(): number {
    return this.#queue.length;
  }

  /** Whether the subscription has ended. Queued events may remain. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether all missed events have been read. */
  get isUpToDate(): boolean {
    return this.#readMissedEvents === null;
  }

  /** Whether the subscription has failed with an error that the subscriber has not received yet. */
  get hasFailed(): boolean {
    return this.#error !== null;
  }

  /** Whether the subscription has failed because the queue was full. */
  get hasOverflowed(): boolean {
    return this.#hasOverflowed;
  }

  /** Sends an event to the subscriber. */
  push(event: WatchEvent): void {
    if (this.#isEnded) return;
    if (event.kind === 'CHANGES_MISSED') this.#skipUntil = event.position;
    else if (event.position <= this.#skipUntil) return;
    if (this.#pendingRead) {
      const { resolve } = this.#pendingRead;
      this.#pendingRead = null;
      resolve(this.#resultOf(event));
    } else if (this.#queue.length < maxQueued) this.#queue.push(event);
    else {
      this.#hasOverflowed = true;
      this.fail(
        createUnavailableError(
          { reason: 'subscriptions', cause: 'slow subscriber' },
          'the subscriber reads too slowly: resume from the last cursor',
        ),
      );
    }
  }

  /** Queues missed events without a limit. Later calls of `push` skip events up to `skipUntil`. */
  pushMissed(events: readonly WatchEvent[], skipUntil: number): void {
    this.#skipUntil = skipUntil;
    this.#queue.push(...events);
  }

  #resultOf(event: WatchEvent): IteratorResult<WatchEvent> {
    if (event.kind === 'CHANGES_MISSED') this.log = event.log;
    return { done: false, value: event };
  }

  /** Ends the subscription with an error. Queued events are discarded. */
  fail(error: Error): void {
    this.#queue.length = 0;
    this.#error = error;
    this.end();
  }

  /** Ends the subscription after the queued events. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.onEnd(this);
    const pendingRead = this.#pendingRead;
    this.#pendingRead = null;
    if (pendingRead) void this.next().then(pendingRead.resolve, pendingRead.reject);
  }

  next(): Promise<IteratorResult<WatchEvent>> {
    const event = this.#queue.shift();
    if (event) return Promise.resolve(this.#resultOf(event));
    if (this.#error) {
      const error = this.#error;
      this.#error = null;
      return Promise.reject(error);
    }
    if (this.#isEnded) return Promise.resolve({ done: true, value: undefined });
    if (this.#readMissedEvents) return this.#readMissed(this.#readMissedEvents);
    return new Promise((resolve, reject) => {
      this.#pendingRead = { resolve, reject };
    });
  }

  async #readMissed(readMissedEvents: ReadMissedEvents): Promise<IteratorResult<WatchEvent>> {
    const { events, isLast } = await readMissedEvents();
    if (isLast) this.#readMissedEvents = null;
    // Events that were pushed during the read come later in the log.
    if (!this.#isEnded) this.#queue.unshift(...events);
    return this.next();
  }

  return(): Promise<IteratorResult<WatchEvent>> {
    this.#queue.length = 0;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
