import { setTimeout as sleep } from 'node:timers/promises';
import { StartProblem } from '../../process/start-problem.js';

const [maxAttempts, firstDelay, maxDelay] = [8, 500, 30_000];

/** Maximum delay in milliseconds that the other server can request. */
const maxRequestedDelay = 3_600_000;

/** Timeout of a request in milliseconds. The response of a list without pages can be large. */
const requestTimeout = 10 * 60_000;

/** Returns the delay in milliseconds before the next attempt, from the header `Retry-After` (seconds or a date) or else by exponential backoff. */
export function delayOf(response: Response | null, attempt: number): number {
  const retryAfter = response?.headers.get('Retry-After') ?? '';
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return seconds >= 0 ? Math.min(seconds * 1000, maxRequestedDelay) : Math.min(firstDelay * 2 ** attempt, maxDelay);
}

const isTemporary = (status: number): boolean => status === 429 || status >= 500;

/** Returns the reason why a request failed. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

/** Returns the response body for a path on the other server. Returns null for status 404. */
export type ReadUrl = (path: string) => Promise<string | null>;

/**
 * Returns a function that reads paths on the other server. The function repeats requests after temporary errors. For other errors, it
 * throws a StartProblem with the URL. It does not follow redirects, because they could send the token to another server.
 */
export function createUrlReader(base: string, platformToken: string): ReadUrl {
  const headers = { Accept: 'application/json', 'PB-API-TOKEN': platformToken };
  return async (path) => {
    const url = `${base}${path}`;
    for (let attempt = 0; ; attempt++) {
      let response: Response | null = null;
      let reason: string;
      try {
        response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(requestTimeout) });
        if (response.ok) return await response.text();
        reason = `status ${response.status}`;
        await response.body?.cancel();
      } catch (error) {
        reason = reasonOf(error);
      }
      if (response?.status === 404) return null;
      const canRepeat = response === null || response.ok || isTemporary(response.status);
      if (!canRepeat || attempt + 1 >= maxAttempts)
        throw new StartProblem(`${url} cannot be read: ${reason}.${hintOf(response)}`);
      await sleep(delayOf(response, attempt));
    }
  };
}

function hintOf(response: Response | null): string {
  if (response?.status === 401 || response?.status === 403) return ' Check the token and its permissions.';
  return response && response.status >= 300 && response.status < 400 ? ' Use the URL that it redirects to.' : '';
}
