/** What a start has opened so far, so that it can be closed in reverse at any moment, also in the midst of the start. */
export class Opened {
  readonly #closers: (() => Promise<void>)[] = [];

  /** What comes before a close that nobody is waiting for. */
  drain: () => Promise<void> = async () => undefined;

  add(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  /** Closes everything, the last first; what fails to close does not keep the rest open. */
  async close(): Promise<void> {
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) await close().catch(console.error);
  }
}
