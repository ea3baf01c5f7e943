import type { EventEmitter } from 'node:events';

/** Transport that delivers the events of a subscription. */
export type Transport = 'sse' | 'websocket';

/** Reason why the server ended a subscription: a slow client, an invalid token, or the shutdown of the service. */
export type EndReason = 'slow' | 'token' | 'stop';

/** Subscription metrics since the start of the process. */
export const subscriptionCounts = {
  open: { sse: 0, websocket: 0 } as Record<Transport, number>,
  delivered: { sse: 0, websocket: 0 } as Record<Transport, number>,
  ended: { slow: 0, token: 0, stop: 0 } as Record<EndReason, number>,
  sockets: 0,
};

/** Maximum number of sent bytes that a client has not read yet. Further writes wait for the client. */
export const maxBufferedBytes = 64 * 2 ** 10;

/** Connection that delivers the events of a subscription. A WebSocket can serve several subscriptions. */
export interface LiveConnection {
  readonly transport: Transport;
  /** Bytes that the client has not read yet. */
  readonly bufferedBytes: number;
  /** Sends a keep-alive message, so that proxies do not close the connection. */
  ping(): void;
  /** Closes the connection immediately. Buffered data is lost. */
  terminate(): void;
}

/** Returns a function that waits until the buffer is empty or the connection is closed. Concurrent calls share one promise. */
export function drainWaiter(stream: EventEmitter): () => Promise<void> {
  let pendingDrain: Promise<void> | null = null;
  return () => {
    pendingDrain ??= new Promise<void>((resolve) => {
      const finish = () => {
        stream.off('drain', finish).off('close', finish);
        pendingDrain = null;
        resolve();
      };
      stream.once('drain', finish).once('close', finish);
    });
    return pendingDrain;
  };
}

/** Timeouts in milliseconds for clients that do not read: during a subscription, and after its end. */
const stuckTimeoutMs = 10_000;
const closeTimeoutMs = 250;
/** Interval of keep-alive messages in milliseconds. */
const pingIntervalMs = 12_000;

interface ConnectionState {
  /** Number of subscriptions that use the connection. */
  streams: number;
  /** Buffered bytes at the last check, and the time of the last progress. */
  bufferedBytes: number;
  lastProgress: number;
  lastPing: number;
}

/** Registry of the connections of open subscriptions. Detects clients that do not read. */
export class Connections {
  readonly #states = new Map<LiveConnection, ConnectionState>();

  add(connection: LiveConnection): void {
    const now = performance.now();
    const state = this.#states.get(connection) ?? { streams: 0, bufferedBytes: 0, lastProgress: now, lastPing: now };
    state.streams += 1;
    this.#states.set(connection, state);
    subscriptionCounts.open[connection.transport] += 1;
  }

  delete(connection: LiveConnection): void {
    const state = this.#states.get(connection);
    if (!state) return;
    state.streams -= 1;
    if (state.streams === 0) this.#states.delete(connection);
    subscriptionCounts.open[connection.transport] -= 1;
  }

  /** Returns the connections that have made no progress for too long. Also pings all connections that are due for a keep-alive message. */
  stuckConnections(now: number): LiveConnection[] {
    const connections: LiveConnection[] = [];
    for (const [connection, state] of this.#states) {
      const { bufferedBytes } = connection;
      if (bufferedBytes === 0 || bufferedBytes < state.bufferedBytes) state.lastProgress = now;
      else if (now - state.lastProgress > stuckTimeoutMs) connections.push(connection);
      state.bufferedBytes = bufferedBytes;
      if (now - state.lastPing < pingIntervalMs) continue;
      state.lastPing = now;
      connection.ping();
    }
    return connections;
  }

  /** Closes a connection, unless its client reads the last data within a short time. */
  terminateSoon(connection: LiveConnection): void {
    setTimeout(() => connection.bufferedBytes > 0 && connection.terminate(), closeTimeoutMs).unref();
  }
}
