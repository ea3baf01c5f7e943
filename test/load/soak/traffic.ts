import { setTimeout as sleep } from 'node:timers/promises';

/** A kind of request in the mix. Each request of the kind gets a different number. */
export interface Call {
  /** Name of the kind. */
  readonly kind: string;
  /** Relative frequency. */
  readonly weight: number;
  send(number: number): Promise<Pick<Response, 'status' | 'text'>>;
  /** Permitted statuses. */
  readonly statuses?: readonly number[];
}

/** Results of the requests in an interval. */
export interface Interval {
  /** Response times in milliseconds. */
  took: number[];
  /** Descriptions of unexpected responses. */
  problems: string[];
  /** Number of responses, keyed by kind of request. */
  kinds: Record<string, number>;
}

const emptyInterval = (): Interval => ({ took: [], problems: [], kinds: {} });

/**
 * Sends a constant number of requests per second until the load is stopped, without waiting for earlier responses. While `maxOpen` requests
 * are pending, it skips requests.
 */
export class Traffic {
  #now = emptyInterval();
  #open = 0;
  #isOver = false;
  readonly #turns: readonly Call[];

  constructor(
    calls: readonly Call[],
    readonly perSecond: number,
    readonly maxOpen = Number.POSITIVE_INFINITY,
  ) {
    // Kinds take turns according to their weights.
    this.#turns = calls
      .flatMap((call) => Array.from({ length: call.weight }, (_, index) => ({ call, place: (index + 0.5) / call.weight })))
      .sort((a, b) => a.place - b.place)
      .map(({ call }) => call);
  }

  /** Number of pending requests. */
  get open(): number {
    return this.#open;
  }

  async run(): Promise<void> {
    const began = performance.now();
    for (let number = 0; !this.#isOver; number++) {
      const ahead = began + (number * 1000) / this.perSecond - performance.now();
      if (ahead > 1) await sleep(ahead);
      if (this.#open < this.maxOpen) void this.#send(number);
    }
    while (this.#open) await sleep(20);
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Returns the results since the last call. */
  takeInterval(): Interval {
    const interval = this.#now;
    this.#now = emptyInterval();
    return interval;
  }

  async #send(number: number): Promise<void> {
    const call = this.#turns[number % this.#turns.length];
    if (!call) return;
    this.#open++;
    const sentAt = performance.now();
    try {
      const response = await call.send(number);
      const text = await response.text();
      const expected = call.statuses ?? [200];
      if (!expected.includes(response.status) || text.includes('"errors":['))
        this.#now.problems.push(`${call.kind}: ${response.status} ${text.slice(0, 160)}`);
    } catch (error) {
      this.#now.problems.push(`${call.kind}: ${error instanceof Error ? (error.cause ?? error.message) : error}`);
    }
    this.#open--;
    this.#now.took.push(performance.now() - sentAt);
    this.#now.kinds[call.kind] = (this.#now.kinds[call.kind] ?? 0) + 1;
  }
}
