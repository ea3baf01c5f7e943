import { clock } from './clock.js';
import { fail } from './declare/errors.js';

/** The time, by the clock of the process, until which somebody waits for the work. No statement starts after it. */
export class Deadline {
  constructor(readonly at = Number.POSITIVE_INFINITY) {}

  /** UNAVAILABLE after the deadline. */
  check(): void {
    if (clock.now > this.at) fail('UNAVAILABLE', 'the database took too long', { retryAfter: 5 });
  }
}
