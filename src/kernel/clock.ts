import { createUnavailableError } from './monitoring/unavailable.js';

/** Interval at which the clock is updated, in milliseconds. */
export const clockTickMs = 250;

/**
 * Monotonic time in milliseconds, updated every `clockTickMs`. Reading it must be cheap, because deadlines are checked before every
 * statement.
 */
export const clock = { now: performance.now() };

setInterval(() => {
  clock.now = performance.now();
}, clockTickMs).unref();

/** Deadline of a request, as a value of `clock.now`. No statement starts after the deadline. */
export class Deadline {
  constructor(readonly time = Number.POSITIVE_INFINITY) {}

  /** Throws UNAVAILABLE if the deadline has passed. */
  check(): void {
    if (clock.now > this.time) throw createUnavailableError({ reason: 'deadline' }, 'the database took too long', 5);
  }
}
