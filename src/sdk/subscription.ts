import { type CallOptions, type ConnectionOptions, send } from './connection.js';
import { printedDocument, type TypedDocument } from './document.js';
import { GraphQLRequestError, NetworkError, ServiceError } from './errors.js';
import { streamEvents } from './event-stream.js';
import { dataOf } from './response.js';
import { backoffMs, callWithRetries, pause, retryDelayMs } from './retries.js';

/** Fields that every subscription must select. The client needs them to resume and to detect missed changes. */
export interface LiveEvent {
  readonly kind: string;
  readonly cursor: string;
}

/** Result of a subscription: the event, keyed by the name of the subscription field. */
export type SubscriptionResult = Readonly<Record<string, LiveEvent | null>>;

/** Causes a compile error for documents that do not declare the variable `$after`. */
export type ResumableVariables<Variables> = 'after' extends keyof Variables
  ? unknown
  : { readonly 'the document does not take': '$after' };

/** Options of a subscription. */
export interface SubscribeOptions extends Pick<CallOptions, 'signal'> {
  /**
   * Cursor of an earlier event, or `liveCursor`. Events after this position are sent first. Default: the variable `after`, or the current
   * position.
   */
  readonly after?: string | null | undefined;
}

const graphRequest = { path: '/graphql', method: 'POST', headers: { 'Content-Type': 'application/json' } };

/** Maximum time without data on a connection, in milliseconds. The service sends a keep-alive every 12 s. */
const silenceTimeoutMs = 40_000;
/** Maximum delay before a reconnection, in milliseconds. */
const maxReconnectDelayMs = 15_000;

/**
 * Returns the delay before a reconnection, in milliseconds. Null if a reconnection cannot succeed, or if the service requests a delay that
 * exceeds `maxRetryDelay`.
 */
function reconnectDelay(error: unknown, attempt: number, maxRetryDelay: number): number | null {
  if (error instanceof ServiceError && error.retryAfter !== undefined) {
    const delay = retryDelayMs(error, attempt);
    return delay !== null && delay > maxRetryDelay ? null : delay;
  }
  const isTemporary = error instanceof GraphQLRequestError && ['UNAVAILABLE', 'RATE_LIMITED'].includes(error.code);
  return isTemporary || retryDelayMs(error, attempt) !== null ? Math.min(backoffMs(attempt), maxReconnectDelayMs) : null;
}

/** Yields the results of one connection until it ends. Calls `onOpen` when the connection is established. */
async function* connectionResults(
  options: ConnectionOptions,
  body: string,
  signal: AbortSignal | undefined,
  onOpen: () => void,
): AsyncGenerator<unknown> {
  const { timeout = 15_000, origin } = options;
  const silenceController = new AbortController();
  const abortSilent = () => silenceController.abort(new NetworkError('TIMEOUT', `${origin} stopped sending data`));
  let timer = setTimeout(abortSilent, timeout);
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(abortSilent, silenceTimeoutMs);
  };
  const combinedSignal = signal ? AbortSignal.any([signal, silenceController.signal]) : silenceController.signal;
  try {
    const response = await send(
      options,
      { ...graphRequest, headers: { ...graphRequest.headers, Accept: 'text/event-stream' }, body },
      combinedSignal,
    );
    const { status, headers } = response;
    if (!response.body || !headers.get('Content-Type')?.startsWith('text/event-stream')) {
      dataOf({ status, headers, text: await response.text() });
      return;
    }
    onOpen();
    for await (const { type, data } of streamEvents(response.body, restartTimer)) {
      if (type === 'complete') return;
      if (type === 'next') yield dataOf({ status, headers, text: data });
    }
  } catch (error) {
    if (error instanceof GraphQLRequestError) throw error;
    throw silenceController.signal.aborted
      ? silenceController.signal.reason
      : new NetworkError('NETWORK', `${origin} could not be reached`, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the cursor of the event in a result. */
function cursorIn(data: unknown): string {
  const [event] = Object.values(Object(data));
  const cursor: unknown = Object(event).cursor;
  if (typeof cursor !== 'string') throw new TypeError('the document must select kind and cursor of its events');
  return cursor;
}

/** Returns the current position in the change log. Subscriptions that start there miss no change while they connect. */
async function currentCursor(options: ConnectionOptions, signal: AbortSignal | undefined): Promise<string> {
  const request = { ...graphRequest, body: JSON.stringify({ query: '{ liveCursor }' }), writes: false };
  const { liveCursor } = (await callWithRetries(options, request, { signal }, dataOf)) as { liveCursor: string };
  return liveCursor;
}

/** Yields the events of a subscription, and reconnects after interruptions. */
export async function* streamSubscription(
  options: ConnectionOptions,
  document: TypedDocument,
  variables: { readonly after?: string | null | undefined },
  { signal, after = variables.after }: SubscribeOptions,
): AsyncGenerator<unknown, void, undefined> {
  const { query, operation } = printedDocument(document);
  if (operation !== 'subscription' || !/\$after\b/.test(query))
    throw new TypeError('the document must be a subscription that takes $after: String');
  const { retries = 3, maxRetryDelay = 20_000 } = options;
  // The number of attempts is limited only until the first connection succeeds.
  let hasConnected = false;
  const onOpen = () => {
    hasConnected = true;
  };
  try {
    let cursor = after ?? (await currentCursor(options, signal));
    for (let attempt = 0; ; attempt += 1) {
      const startTime = Date.now();
      let wait: number | null = Math.min(backoffMs(attempt), maxReconnectDelayMs);
      try {
        const body = JSON.stringify({ query, variables: { ...variables, after: cursor } });
        for await (const data of connectionResults(options, body, signal, onOpen)) {
          cursor = cursorIn(data);
          attempt = 0;
          yield data;
        }
      } catch (error) {
        signal?.throwIfAborted();
        wait = hasConnected || attempt < retries ? reconnectDelay(error, attempt, maxRetryDelay) : null;
        if (wait === null) throw error;
      }
      if (Date.now() - startTime > maxReconnectDelayMs) attempt = 0;
      signal?.throwIfAborted();
      await pause(wait, signal);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
