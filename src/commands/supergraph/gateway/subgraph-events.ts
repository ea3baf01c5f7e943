import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import { streamEvents } from '../../../sdk/event-stream.js';
import type { EngineOptions, PlannedRun } from './engine.js';
import { headersFor, type SubgraphRequest, unavailableError } from './subgraph.js';

/** Maximum time without data on a stream, in milliseconds. Subgraphs send a keep-alive message every 12 s. */
const silenceTimeout = 30_000;

/** Yields the results in a stream of server-sent events. Calls `onSilence` if nothing arrives for 30 s. Throws if the stream ends early. */
async function* eventsIn(body: ReadableStream<Uint8Array>, onSilence: () => void): AsyncGenerator<ExecutionResult> {
  const silence = setTimeout(onSilence, silenceTimeout).unref();
  try {
    for await (const { type, data } of streamEvents(body, () => silence.refresh())) {
      if (type === 'complete') return;
      if (type === 'next') yield JSON.parse(data);
    }
  } finally {
    clearTimeout(silence);
  }
  throw new Error('the stream ended without a "complete" event');
}

/** Sends a subscription to a subgraph and returns its events. If the subgraph rejects the subscription, the errors are the only event. */
async function openStream(
  url: string,
  body: object,
  headers: Record<string, string>,
  timeout: number,
  abort: AbortController,
): Promise<AsyncIterable<ExecutionResult>> {
  const timer = setTimeout(() => abort.abort(), timeout).unref();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify(body),
      signal: abort.signal,
    });
    if (response.body && response.headers.get('content-type')?.startsWith('text/event-stream'))
      return eventsIn(response.body, () => abort.abort());
    const { errors }: ExecutionResult = await response.json();
    if (!Array.isArray(errors)) throw new Error(`The subgraph sent an invalid response with status ${response.status}.`);
    return singleEvent({ errors });
  } finally {
    clearTimeout(timer);
  }
}

async function* singleEvent(event: ExecutionResult): AsyncGenerator<ExecutionResult> {
  yield event;
}

const asError = ({ message, path, extensions }: GraphQLFormattedError) => new GraphQLError(message, { path, extensions });

/**
 * Returns a function that subscribes to a subgraph with the headers of the client and the router secret. If the subgraph fails, the last
 * event contains an error. Events without data bypass the engine, because it would repeat the data of the previous event.
 */
export const subgraphEvents =
  (name: string, url: string, { secret, timeout }: EngineOptions) =>
  async (
    { query, variables = {}, operationName }: SubgraphRequest,
    run: Partial<PlannedRun> = {},
  ): Promise<AsyncIterableIterator<ExecutionResult>> => {
    const abort = new AbortController();
    const failure: ExecutionResult = { data: null, errors: [unavailableError(name)] };
    const body = { query, variables, operationName };
    const response = await openStream(url, body, headersFor(run, secret), timeout, abort).catch(() =>
      singleEvent({ errors: [unavailableError(name)] }),
    );
    let isClosed = false;
    const bypass = (event: ExecutionResult): ExecutionResult => {
      if (run.bypass) run.bypass.event = event;
      return { data: {} };
    };
    async function* read(): AsyncGenerator<ExecutionResult> {
      try {
        for await (const event of response) {
          // Unavailable subgraphs may have recovered after the last event.
          run.unavailableSubgraphs?.clear();
          const { data, errors } = event;
          const result = errors ? { ...event, errors: errors.map(asError) } : event;
          yield data ? result : bypass(result);
        }
      } catch {
        if (!isClosed) yield bypass(failure);
      } finally {
        abort.abort();
      }
    }
    const events = read();
    const iterator: AsyncIterableIterator<ExecutionResult> = {
      next: () => events.next(),
      async return() {
        isClosed = true;
        abort.abort();
        await events.return(undefined);
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    return iterator;
  };
