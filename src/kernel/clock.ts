/** How often the clock is set, in milliseconds. */
export const tick = 250;

/** The time in milliseconds, up to a tick late: reading it costs nothing, so that whatever a request does can ask how late it is. */
export const clock = { now: performance.now() };

setInterval(() => {
  clock.now = performance.now();
}, tick).unref();
