import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Opening, PlannedRun } from './engine.js';
import { absent, headersFor, type SubgraphRequest } from './subgraph.js';

/** A subgraph sends something every twelve seconds, and be it only that it is there. In milliseconds. */
const longestSilence = 30_000;

/** What stands in the events of a stream that is read, up to the one that completes it; fails where it breaks off. */
async function* eventsIn(body: AsyncIterable<string>): AsyncGenerator<ExecutionResult> {
  let text = '';
  for await (const chunk of body) {
    text += chunk;
    const written = text.split('\n\n');
    text = written.pop() ?? '';
    for (const event of written) {
      const [, name] = /^event: ?(.*)$/m.exec(event) ?? [];
      const [, data = ''] = /^data: ?(.*)$/m.exec(event) ?? [];
      if (name === 'complete') return;
      if (name === 'next') yield JSON.parse(data);
    }
  }
  throw new Error('the stream broke off');
}

/** The text of a stream; somebody is told when it has been silent for too long. */
async function* textOf(body: AsyncIterable<Uint8Array>, tell: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const silence = setTimeout(tell, longestSilence).unref();
  try {
    for await (const chunk of body) {
      silence.refresh();
      yield decoder.decode(chunk, { stream: true });
    }
  } finally {
    clearTimeout(silence);
  }
}

/** Asks a subgraph for events; answers once that is decided. */
async function open(
  url: string,
  body: object,
  headers: Record<string, string>,
  timeout: number,
  leaving: AbortController,
): Promise<AsyncIterable<ExecutionResult>> {
  const timer = setTimeout(() => leaving.abort(), timeout).unref();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    if (response.body && response.headers.get('content-type')?.startsWith('text/event-stream'))
      return eventsIn(textOf(response.body, () => leaving.abort()));
    const { errors }: ExecutionResult = await response.json();
    if (!Array.isArray(errors)) throw new Error(`no answer of a subgraph, status ${response.status}`);
    return once({ errors });
  } finally {
    clearTimeout(timer);
  }
}

async function* once(event: ExecutionResult): AsyncGenerator<ExecutionResult> {
  yield event;
}

const asError = ({ message, path, extensions }: GraphQLFormattedError) => new GraphQLError(message, { path, extensions });

/**
 * The events of a subgraph, as engines ask for them: with the headers of the caller and the secret, until whoever reads them leaves. Where the
 * subgraph goes, the last one says so. What has no data is told around the engine, which would show the data of the event before.
 */
export const subgraphEvents =
  (name: string, url: string, { secret, timeout }: Opening) =>
  async (
    { query, variables = {}, operationName }: SubgraphRequest,
    run: Partial<PlannedRun> = {},
  ): Promise<AsyncIterableIterator<ExecutionResult>> => {
    const leaving = new AbortController();
    const gone: ExecutionResult = { data: null, errors: [absent(name)] };
    const asked = { query, variables, operationName };
    const told = await open(url, asked, headersFor(run, secret), timeout, leaving).catch(() => once({ errors: [absent(name)] }));
    let hasLeft = false;
    const around = (event: ExecutionResult): ExecutionResult => {
      if (run.around) run.around.event = event;
      return { data: {} };
    };
    async function* read(): AsyncGenerator<ExecutionResult> {
      try {
        for await (const event of told) {
          // Others may be back by now.
          run.silent?.clear();
          const { data, errors } = event;
          const whole = errors ? { ...event, errors: errors.map(asError) } : event;
          yield data ? whole : around(whole);
        }
      } catch {
        if (!hasLeft) yield around(gone);
      } finally {
        leaving.abort();
      }
    }
    const events = read();
    const iterator: AsyncIterableIterator<ExecutionResult> = {
      next: () => events.next(),
      async return() {
        hasLeft = true;
        leaving.abort();
        await events.return(undefined);
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    return iterator;
  };
