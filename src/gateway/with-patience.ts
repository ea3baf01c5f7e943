import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../kernel/declare/errors.js';

/** How often a page of a list that has begun is asked for again, and after how many milliseconds. */
const [tries, pause] = [3, 250];

/** A list that has begun cannot be told to come later any more: a page for which the database had no time is asked for again. */
export async function withPatience<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await ask();
    } catch (error) {
      if (left === 0 || codeOf(error) !== 'UNAVAILABLE') throw error;
      await sleep(pause);
    }
  }
}
