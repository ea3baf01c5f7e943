/** Stack of opened resources, which can be closed in reverse order at any time, also during the start. */
export class OpenResources {
  readonly #closers: (() => Promise<void>)[] = [];

  /** Runs before a graceful close. */
  beforeClose: () => Promise<void> = async () => undefined;

  add(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  /** Closes all resources in reverse order. Errors do not prevent closing the others. */
  async close(): Promise<void> {
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) await close().catch(console.error);
  }
}
