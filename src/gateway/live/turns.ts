/** From this cost on, an answer keeps the process busy long enough to delay others. */
export const heavyCost = 10_000;

interface Waiting {
  readonly isHeavy: boolean;
  readonly begin: () => void;
}

/**
 * Turns at computing answers to events. A caller who waits for many answers delays only its own: callers take turns, one answer each.
 * Heavy answers are computed one at a time, so that light ones find a place beside them.
 */
export class Turns {
  #running = 0;
  #isHeavyRunning = false;
  /** The callers who wait. The one who has waited longest since its last turn comes first. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(
    /** How many answers are computed at once. */
    readonly most: number,
  ) {}

  /** Does the work when it is the caller's turn. */
  async take<T>(caller: string, cost: number, work: () => Promise<T>): Promise<T> {
    const isHeavy = cost >= heavyCost;
    await new Promise<void>((begin) => {
      const own = this.#waiting.get(caller);
      if (own) own.push({ isHeavy, begin });
      else this.#waiting.set(caller, [{ isHeavy, begin }]);
      this.#admit();
    });
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (isHeavy) this.#isHeavyRunning = false;
      this.#admit();
    }
  }

  #admit(): void {
    for (const [caller, [first, ...others]] of this.#waiting) {
      if (this.#running >= this.most) return;
      if (!first || (first.isHeavy && this.#isHeavyRunning)) continue;
      this.#waiting.delete(caller);
      if (others.length > 0) this.#waiting.set(caller, others);
      this.#running += 1;
      if (first.isHeavy) this.#isHeavyRunning = true;
      first.begin();
    }
  }
}
