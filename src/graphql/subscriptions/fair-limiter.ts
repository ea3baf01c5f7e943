/** Minimum cost of a heavy response. Heavy responses keep the process busy long enough to delay others. */
export const heavyCost = 10_000;

interface PendingRequest {
  readonly isHeavy: boolean;
  readonly start: () => void;
}

/**
 * Limits how many responses to events are computed at once, with round-robin scheduling. Each caller gets one response per turn, so
 * a caller with many pending responses does not delay others. At most one heavy response is computed at a time, which leaves
 * capacity for light ones.
 */
export class FairLimiter {
  #running = 0;
  #isHeavyRunning = false;
  /** Pending requests grouped by caller. The caller whose last turn was longest ago comes first. */
  readonly #pending = new Map<string, PendingRequest[]>();

  constructor(
    /** Maximum number of responses that are computed at once. */
    readonly limit: number,
  ) {}

  /** Runs the function when it is the caller's turn. */
  async run<T>(callerKey: string, cost: number, work: () => Promise<T>): Promise<T> {
    const isHeavy = cost >= heavyCost;
    await new Promise<void>((start) => {
      const requests = this.#pending.get(callerKey);
      if (requests) requests.push({ isHeavy, start });
      else this.#pending.set(callerKey, [{ isHeavy, start }]);
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (isHeavy) this.#isHeavyRunning = false;
      this.#startNext();
    }
  }

  #startNext(): void {
    for (const [callerKey, [first, ...otherRequests]] of this.#pending) {
      if (this.#running >= this.limit) return;
      if (!first || (first.isHeavy && this.#isHeavyRunning)) continue;
      this.#pending.delete(callerKey);
      if (otherRequests.length > 0) this.#pending.set(callerKey, otherRequests);
      this.#running += 1;
      if (first.isHeavy) this.#isHeavyRunning = true;
      first.start();
    }
  }
}
