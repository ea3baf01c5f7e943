import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { releaseBodyBytes } from '../limits/concurrency-limiter.js';
import { drainWaiter, type LiveConnection, maxBufferedBytes } from './connections.js';
import { eventBytes } from './result-json.js';

/** Headers of an event stream, as in graphql-sse and Yoga. Proxies must not buffer the response. */
const headers = {
  'Content-Type': 'text/event-stream',
  Connection: 'keep-alive',
  'Cache-Control': 'no-cache',
  'Content-Encoding': 'none',
  'X-Accel-Buffering': 'no',
};

const keepAliveComment = ':\n\n';

/**
 * Writes server-sent events to a response (distinct connections mode of graphql-sse). Yoga's built-in stream would add a web stream and a
 * timer per connection.
 */
class EventStream implements LiveConnection {
  readonly transport = 'sse';
  readonly #waitForDrain: () => Promise<void>;

  constructor(readonly response: ServerResponse) {
    this.#waitForDrain = drainWaiter(response);
  }

  get bufferedBytes(): number {
    return this.response.writableLength;
  }

  ping(): void {
    if (this.response.headersSent && !this.response.writableEnded && this.bufferedBytes === 0)
      this.response.write(keepAliveComment);
  }

  terminate(): void {
    this.response.destroy();
  }

  async send(results: AsyncIterator<ExecutionResult>): Promise<void> {
    const { response } = this;
    const cancel = () => void results.return?.();
    if (response.destroyed || response.closed) return cancel();
    response.once('close', cancel);
    releaseBodyBytes(response);
    // The parsed body can be large, and the stream no longer needs it.
    Object.assign(response.req, { body: undefined });
    // A subscription without events must not time out.
    response.socket?.setTimeout(0).setNoDelay(true).setKeepAlive(true);
    // Some browsers do not report a response until its first bytes arrive.
    response.writeHead(200, headers).write(keepAliveComment);
    try {
      for (let next = await results.next(); !next.done; next = await results.next()) {
        if (response.destroyed) return;
        response.write(eventBytes(next.value));
        if (response.writableNeedDrain && this.bufferedBytes > maxBufferedBytes) await this.#waitForDrain();
      }
      if (!response.destroyed) response.end('event: complete\ndata:\n\n');
    } catch {
      response.destroy();
    }
  }
}

const streams = new WeakMap<ServerResponse, EventStream>();

/** Returns the event stream of a response. Repeated calls return the same stream. */
export function eventStream(response: ServerResponse): EventStream {
  const stream = streams.get(response) ?? new EventStream(response);
  streams.set(response, stream);
  return stream;
}
