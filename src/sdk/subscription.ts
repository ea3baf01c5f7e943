import { answerOf } from './answer.js';
import { type CallOptions, type ConnectionOptions, send } from './connection.js';
import { sentFor, type TypedDocument } from './document.js';
import { GraphError, NoAnswer, ServiceError } from './errors.js';
import { streamEvents } from './event-stream.js';
import { called, grown, pause, waitAfter } from './retries.js';

/** Required selection of every event. Without it, a client can neither resume nor detect missed changes. */
export interface LiveEvent {
  readonly kind: string;
  readonly cursor: string;
}

/** Result of a subscription: an event under the name of its field. */
export type Live = Readonly<Record<string, LiveEvent | null>>;

/** Causes a compile error for documents without a cursor variable. */
export type Resumable<Variables> = 'after' extends keyof Variables
  ? unknown
  : { readonly 'the document does not take': '$after' };

/** Options of a subscription. */
export interface SubscribeOptions extends Pick<CallOptions, 'signal'> {
  /** Cursor of an earlier event, or `liveCursor`. Events since then are sent first. Same as the variable `after`. */
  readonly after?: string | null | undefined;
}

const ask = { path: '/graphql', method: 'POST', headers: { 'Content-Type': 'application/json' } };

/** Timeout in milliseconds for a silent connection. The service sends a keep-alive every 12 s. */
const silence = 40_000;
/** Maximum delay before a reconnect, in milliseconds. */
const longest = 15_000;

/** Delay in milliseconds before a reconnect. Null if it is useless or exceeds the maximum wait. */
function pauseAfter(error: unknown, tried: number, longestWait: number): number | null {
  if (error instanceof ServiceError && error.retryAfter !== undefined) {
    const wait = waitAfter(error, tried);
    return wait !== null && wait > longestWait ? null : wait;
  }
  const isForNow = error instanceof GraphError && ['UNAVAILABLE', 'RATE_LIMITED'].includes(error.code);
  return isForNow || waitAfter(error, tried) !== null ? Math.min(grown(tried), longest) : null;
}

/** Yields the results of one connection until it ends. Calls `opened` when it is established. */
async function* connected(
  options: ConnectionOptions,
  body: string,
  signal: AbortSignal | undefined,
  opened: () => void,
): AsyncGenerator<unknown> {
  const { timeout = 15_000, origin } = options;
  const broken = new AbortController();
  const lapse = () => broken.abort(new NoAnswer('TIMEOUT', `${origin} has fallen silent`));
  let timer = setTimeout(lapse, timeout);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(lapse, silence);
  };
  const either = signal ? AbortSignal.any([signal, broken.signal]) : broken.signal;
  try {
    const response = await send(options, { ...ask, headers: { ...ask.headers, Accept: 'text/event-stream' }, body }, either);
    const { status, headers } = response;
    if (!response.body || !headers.get('Content-Type')?.startsWith('text/event-stream')) {
      answerOf({ status, headers, text: await response.text() });
      return;
    }
    opened();
    for await (const { type, data } of streamEvents(response.body, heard)) {
      if (type === 'complete') return;
      if (type === 'next') yield answerOf({ status, headers, text: data });
    }
  } catch (error) {
    if (error instanceof GraphError) throw error;
    throw broken.signal.aborted ? broken.signal.reason : new NoAnswer('NETWORK', `${origin} was not reached`, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Cursor of the event in a result. */
function cursorIn(data: unknown): string {
  const [event] = Object.values(Object(data));
  const cursor: unknown = Object(event).cursor;
  if (typeof cursor !== 'string') throw new TypeError('the document has to select kind and cursor of its events');
  return cursor;
}

/** Current position of the change log. Later changes are not missed, even if connecting takes long. */
async function here(options: ConnectionOptions, signal: AbortSignal | undefined): Promise<string> {
  const asked = { ...ask, body: JSON.stringify({ query: '{ liveCursor }' }), writes: false };
  const { liveCursor } = (await called(options, asked, { signal }, answerOf)) as { liveCursor: string };
  return liveCursor;
}

/** Yields the events of a subscription and reconnects as often as necessary. */
export async function* eventsOf(
  options: ConnectionOptions,
  document: TypedDocument,
  variables: { readonly after?: string | null | undefined },
  { signal, after = variables.after }: SubscribeOptions,
): AsyncGenerator<unknown, void, undefined> {
  const { query, operation } = sentFor(document);
  if (operation !== 'subscription' || !/\$after\b/.test(query))
    throw new TypeError('the document has to be a subscription that takes $after: String');
  const { retries = 3, longestWait = 20_000 } = options;
  // After the first successful connection, it reconnects without limit.
  let isKnown = false;
  const opened = () => {
    isKnown = true;
  };
  try {
    let cursor = after ?? (await here(options, signal));
    for (let tried = 0; ; tried += 1) {
      const since = Date.now();
      let wait: number | null = Math.min(grown(tried), longest);
      try {
        const body = JSON.stringify({ query, variables: { ...variables, after: cursor } });
        for await (const data of connected(options, body, signal, opened)) {
          cursor = cursorIn(data);
          tried = 0;
          yield data;
        }
      } catch (error) {
        signal?.throwIfAborted();
        wait = isKnown || tried < retries ? pauseAfter(error, tried, longestWait) : null;
        if (wait === null) throw error;
      }
      if (Date.now() - since > longest) tried = 0;
      signal?.throwIfAborted();
      await pause(wait, signal);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
