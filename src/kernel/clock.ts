/** Interval at which the clock is updated, in milliseconds. */
export const tickMs = 250;

/** Monotonic time in milliseconds, updated every `tickMs`. Cheap to read, because deadlines are checked before every statement. */
export const clock = { now: performance.now() };

setInterval(() => {
  clock.now = performance.now();
}, tickMs).unref();
