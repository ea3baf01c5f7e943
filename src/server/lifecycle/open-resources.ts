/** Prints an error without its other properties, because the properties of database errors contain personal data. */
const printError = (error: unknown) => console.error(error instanceof Error ? error.stack : typeof error);

/** Stack of opened resources. It can be closed at any time, even during the start. */
export class OpenResources {
  readonly #closers: (() => Promise<void>)[] = [];

  /** Runs before a graceful close. */
  beforeClose: () => Promise<void> = async () => undefined;

  add(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  /** Closes all resources in reverse order. Errors are logged and do not prevent closing the other resources. */
  async close(): Promise<void> {
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) await close().catch(printError);
  }
}
