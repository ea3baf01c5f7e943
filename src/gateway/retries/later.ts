import { setTimeout as sleep } from 'node:timers/promises';

/** How often it is tried, in milliseconds, and how many times. */
const every = 1_000;
const attempts = 120;

/** Most that waits: what comes beyond is given up at once. */
const most = 1_000;

/** Work that a database which is away keeps from being done. One after the other tries again, so that none comes back to a crowd. */
export class Later {
  readonly #waiting = new Set<{ readonly work: () => Promise<unknown>; left: number }>();
  #isAtWork = false;

  /** Does it when that is possible; after two minutes it is given up. */
  insist(work: () => Promise<unknown>): void {
    if (this.#waiting.size >= most) return;
    this.#waiting.add({ work, left: attempts });
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    void this.#work().finally(() => (this.#isAtWork = false));
  }

  async #work(): Promise<void> {
    while (this.#waiting.size > 0) {
      await sleep(every, undefined, { ref: false });
      for (const each of this.#waiting) {
        const isDone = await each.work().then(
          () => true,
          () => false,
        );
        if (isDone || --each.left === 0) this.#waiting.delete(each);
        // The database is still away: it is for all of them.
        if (!isDone) break;
      }
    }
  }
}
