import { type ApiRequest, type CallOptions, type ConnectionOptions, sendAndRead, type TextResponse } from './connection.js';
import { NetworkError, ServiceError } from './errors.js';

/** Statuses of errors that are temporary even without a `Retry-After` header: exceeded rate limits, and unavailable servers. */
const temporaryStatuses = new Set([429, 502, 503, 504]);

/** Returns the delay before the next attempt, in milliseconds. Uses exponential backoff with jitter. */
export const backoffMs = (attempt: number): number => 250 * 2 ** attempt * (1 + Math.random());

/** Returns the delay before a retry, in milliseconds. Null if the error is permanent, because a retry would fail again. */
export function retryDelayMs(error: unknown, attempt: number): number | null {
  if (error instanceof NetworkError) return backoffMs(attempt);
  if (!(error instanceof ServiceError)) return null;
  if (error.retryAfter !== undefined) return error.retryAfter * 1000 + Math.random() * 100;
  return temporaryStatuses.has(error.status) ? backoffMs(attempt) : null;
}

/** Waits for a number of milliseconds. Rejects with the abort reason if the signal aborts. */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });

/** Returns the delay in the `Retry-After` header, in seconds. The header contains seconds or a date. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const header = headers.get('Retry-After');
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Creates a random idempotency key. `randomUUID` is not used, because it is unavailable on pages without HTTPS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Sends a request and retries it after temporary errors. Writes are retried only with an idempotency key. `read` parses the response, and
 * throws an error for an error response.
 */
export async function callWithRetries<Result>(
  options: ConnectionOptions,
  retryableRequest: ApiRequest & { readonly writes: boolean },
  call: CallOptions,
  read: (response: TextResponse) => Result,
): Promise<Result> {
  const { writes, ...request } = retryableRequest;
  const { retries = 3, maxRetryDelay = 20_000 } = options;
  const key = writes && call.idempotencyKey !== null ? (call.idempotencyKey ?? newKey()) : null;
  const keyedRequest = key === null ? request : { ...request, headers: { ...request.headers, 'Idempotency-Key': key } };
  const maxRetries = writes && key === null ? 0 : retries;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return read(await sendAndRead(options, keyedRequest, call));
    } catch (error) {
      const delay = attempt < maxRetries ? retryDelayMs(error, attempt) : null;
      if (delay === null || delay > maxRetryDelay) throw error;
      await pause(delay, call.signal);
    }
  }
}
