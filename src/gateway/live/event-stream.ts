import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { drained, mostWaiting, type Outlet } from './outlet.js';
import { eventBytes } from './result-text.js';

/** As graphql-sse and Yoga have them; proxies are asked to hold nothing back. */
const headers = {
  'Content-Type': 'text/event-stream',
  Connection: 'keep-alive',
  'Cache-Control': 'no-cache',
  'Content-Encoding': 'none',
  'X-Accel-Buffering': 'no',
};

const nothing = ':\n\n';

/** A response whose events are written as they come (graphql-sse, distinct mode): Yoga's own would take a stream of the web's and a timer for each. */
class EventStream implements Outlet {
  readonly transport = 'sse';
  readonly #drained: () => Promise<void>;

  constructor(readonly response: ServerResponse) {
    this.#drained = drained(response);
  }

  get waiting(): number {
    return this.response.writableLength;
  }

  ping(): void {
    if (this.response.headersSent && !this.response.writableEnded && this.waiting === 0) this.response.write(nothing);
  }

  cut(): void {
    this.response.destroy();
  }

  async tell(results: AsyncIterator<ExecutionResult>): Promise<void> {
    const { response } = this;
    const leave = () => void results.return?.();
    if (response.destroyed || response.closed) return leave();
    response.once('close', leave);
    // A stream is quiet for as long as nothing happens.
    response.socket?.setTimeout(0).setNoDelay(true).setKeepAlive(true);
    // Some browsers tell a page of the answer only when something of it has come.
    response.writeHead(200, headers).write(nothing);
    try {
      for (let next = await results.next(); !next.done; next = await results.next()) {
        if (response.destroyed) return;
        response.write(eventBytes(next.value));
        if (response.writableNeedDrain && this.waiting > mostWaiting) await this.#drained();
      }
      if (!response.destroyed) response.end('event: complete\ndata:\n\n');
    } catch {
      response.destroy();
    }
  }
}

const streams = new WeakMap<ServerResponse, EventStream>();

/** The events of a response: the same for all who ask. */
export function eventStream(response: ServerResponse): EventStream {
  const known = streams.get(response) ?? new EventStream(response);
  streams.set(response, known);
  return known;
}
