/** Interval at which the clock is updated, in milliseconds. */
export const tickMs = 250;

/** Monotonic time in milliseconds, up to one tick late. Cheap to read, so that deadlines can be checked before every statement. */
export const clock = { now: performance.now() };

setInterval(() => {
  clock.now = performance.now();
}, tickMs).unref();
