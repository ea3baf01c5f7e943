import { clock } from './clock.js';
import { fail } from './declare/errors.js';

/** Deadline of a request, as a time of `clock.now`. No statement starts after it. */
export class Deadline {
  constructor(readonly time = Number.POSITIVE_INFINITY) {}

  /** Throws UNAVAILABLE after the deadline. */
  check(): void {
    if (clock.now > this.time) fail('UNAVAILABLE', 'the database took too long', { retryAfter: 5 });
  }
}
