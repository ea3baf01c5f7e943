import { setTimeout as pause } from 'node:timers/promises';

/** Longer than any of the works that it covers takes, so that the time of an answer tells nothing about them. */
const least = 250;

/** Does the work and answers after the same time, whether there was much to do, little, or a failure. */
export async function inEvenTime<T>(work: () => Promise<T>): Promise<T> {
  const [done] = await Promise.allSettled([work(), pause(least)]);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}
