import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../kernel/declare/errors.js';

/** Maximum number of retries for a page of a list, and the pause between them in milliseconds. */
const [maxRetries, pauseMs] = [3, 250];

/**
 * Retries a page of a streamed list if the database is unavailable. The status has been sent, so the request can no longer fail
 * with 503.
 */
export async function retryUnavailable<T>(readPage: () => Promise<T>): Promise<T> {
  for (let retriesLeft = maxRetries; ; retriesLeft--) {
    try {
      return await readPage();
    } catch (error) {
      if (retriesLeft === 0 || codeOf(error) !== 'UNAVAILABLE') throw error;
      await sleep(pauseMs);
    }
  }
}
