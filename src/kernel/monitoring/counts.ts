/** Event counts of this process, by the value of one label. Each scrape of the metrics reads the counts. */
export class Counts<Label extends string = string> {
  readonly #counts = new Map<Label, number>();

  constructor(labels: readonly Label[] = []) {
    this.declare(labels);
  }

  /** Adds label values with the count 0, so that `rate()` includes their first increase. */
  declare(labels: readonly Label[]): void {
    for (const label of labels) this.#counts.set(label, this.#counts.get(label) ?? 0);
  }

  add(label: Label): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1);
  }

  get entries(): readonly (readonly [label: Label, count: number])[] {
    return [...this.#counts];
  }
}

/** Number of refused requests and subscriptions, by the name of the limit in `RATE_LIMITS` or of the configuration variable. */
export const limitRefusals = new Counts<string>();
