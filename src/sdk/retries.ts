import { type Ask, type CallOptions, type ConnectionOptions, exchange, type Heard } from './connection.js';
import { NoAnswer, ServiceError } from './errors.js';

/** What is over some time: too many requests, a first request that is still at work, an absent database or what stands in front of it. */
const passing = new Set([429, 502, 503, 504]);

/** Milliseconds before the next try when the answer says none: twice as long each time, and not all clients at once. */
export const grown = (tried: number): number => 250 * 2 ** tried * (1 + Math.random());

/** Milliseconds after which one more try makes sense; null where it makes none. */
export function waitAfter(error: unknown, tried: number): number | null {
  if (error instanceof NoAnswer) return grown(tried);
  if (!(error instanceof ServiceError)) return null;
  if (error.retryAfter !== undefined) return error.retryAfter * 1000 + Math.random() * 100;
  return passing.has(error.status) ? grown(tried) : null;
}

/** Waits; rejects with what the signal was aborted with. */
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

/** Seconds that a `Retry-After` asks for, which is a number of them or a date. */
export function secondsOf(headers: Headers): number | undefined {
  const said = headers.get('Retry-After');
  if (said === null) return undefined;
  const seconds = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** A key that nobody has used before. Pages that were not loaded by HTTPS have no `randomUUID`. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** One call, with its retries: reads, and writes that have a key, are sent again where that may help. `read` throws what an answer says. */
export async function called<Answer>(
  options: ConnectionOptions,
  ask: Ask & { readonly writes: boolean },
  call: CallOptions,
  read: (heard: Heard) => Answer,
): Promise<Answer> {
  const { writes, ...once } = ask;
  const { retries = 3, longestWait = 20_000 } = options;
  const key = writes && call.idempotencyKey !== null ? (call.idempotencyKey ?? newKey()) : null;
  const sent = key === null ? once : { ...once, headers: { ...once.headers, 'Idempotency-Key': key } };
  const left = writes && key === null ? 0 : retries;
  for (let tried = 0; ; tried += 1) {
    try {
      return read(await exchange(options, sent, call));
    } catch (error) {
      const wait = tried < left ? waitAfter(error, tried) : null;
      if (wait === null || wait > longestWait) throw error;
      await pause(wait, call.signal);
    }
  }
}
