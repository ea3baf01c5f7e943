import { setTimeout as sleep } from 'node:timers/promises';

/** Interval between attempts in milliseconds, and maximum number of attempts per item. */
const intervalMs = 1_000;
const maxAttempts = 120;

/** Maximum number of queued items. Further items are dropped. */
const maxQueueLength = 1_000;

/** Retries work that failed because the database was unavailable. Runs one item at a time, to limit the load when the database recovers. */
export class RetryQueue {
  readonly #queue = new Set<{ readonly work: () => Promise<unknown>; attemptsLeft: number }>();
  #isRunning = false;

  /** Adds an item. It is dropped if the queue is full, or after 120 failed attempts. */
  add(work: () => Promise<unknown>): void {
    if (this.#queue.size >= maxQueueLength) return;
    this.#queue.add({ work, attemptsLeft: maxAttempts });
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run().finally(() => (this.#isRunning = false));
  }

  async #run(): Promise<void> {
    while (this.#queue.size > 0) {
      await sleep(intervalMs, undefined, { ref: false });
      for (const item of this.#queue) {
        const isDone = await item.work().then(
          () => true,
          () => false,
        );
        if (isDone || --item.attemptsLeft === 0) this.#queue.delete(item);
        // The database is still unavailable, so the other items would fail too.
        if (!isDone) break;
      }
    }
  }
}
