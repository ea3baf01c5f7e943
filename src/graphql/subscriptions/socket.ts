import type { Duplex } from 'node:stream';
import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { drainWaiter, type LiveConnection, maxBufferedBytes } from './connections.js';

/** Maximum number of buffered bytes, including pongs and errors. Clients that exceed it are disconnected. */
const maxPendingBytes = 2 ** 20;

/** Thrown to close a socket with a code and a reason. */
export class SocketCloseError extends Error {
  constructor(
    readonly code: number,
    reason: string,
  ) {
    super(reason);
  }
}

/** Truncates a close reason so that it fits into a WebSocket close frame. */
const truncateReason = (reason: string): string =>
  Buffer.from(reason)
    .subarray(0, 120)
    .toString()
    .replace(/\uFFFD+$/, '');

/** An open WebSocket. */
export class LiveSocket implements LiveConnection {
  readonly transport = 'websocket';
  readonly #waitForDrain: () => Promise<void>;
  /** Whether the client has sent anything since the last probe. */
  #wasActive = true;

  constructor(
    readonly socket: WebSocket,
    raw: Duplex,
  ) {
    this.#waitForDrain = drainWaiter(raw);
    socket.on('pong', () => this.#markActive()).on('ping', () => this.#markActive());
    // Errors need no handling: after an invalid frame, `ws` closes the socket with the appropriate close code.
    socket.on('error', () => undefined);
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  /** Does nothing, because every socket is probed, with or without subscriptions. */
  ping(): void {}

  /** Sends a ping. Disconnects the client if it has sent nothing since the last probe. */
  probe(): void {
    if (!this.#wasActive) this.terminate();
    else if (this.isOpen) this.socket.ping();
    this.#wasActive = false;
  }

  terminate(): void {
    this.socket.terminate();
  }

  close(code?: number, reason = ''): void {
    this.socket.close(code, truncateReason(reason));
  }

  /** Calls the handler for each message that arrives. */
  onMessage(handleMessage: (text: string) => Promise<void>): void {
    this.socket.on('message', (data, isBinary) => {
      this.#markActive();
      if (!this.isOpen) return;
      if (isBinary) return this.close(CloseCode.BadRequest, 'expected a text frame');
      handleMessage(String(data)).catch((error: unknown) => {
        if (error instanceof SocketCloseError) this.close(error.code, error.message);
        else this.close(CloseCode.BadRequest, 'Invalid message received');
      });
    });
  }

  /** Sends a message. Resolves when the buffer has space for the next message. */
  async send(text: string): Promise<void> {
    if (!this.isOpen) return;
    this.socket.send(text, () => undefined);
    if (this.bufferedBytes > maxBufferedBytes) await this.#waitForDrain();
  }

  #markActive(): void {
    this.#wasActive = true;
    if (this.bufferedBytes > maxPendingBytes) this.terminate();
  }
}
