import type { Duplex } from 'node:stream';
import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { drained, mostWaiting, type Outlet } from './outlet.js';

/** Bytes of answers to pings and of refusals that may wait, too: beyond that, who does not read is cut off. */
const most = 2 ** 20;

/** Ends a socket with a code and a word of why. */
export class SocketClosing extends Error {
  constructor(
    readonly code: number,
    reason: string,
  ) {
    super(reason);
  }
}

/** Of a reason, as much as a frame can hold. */
const short = (reason: string): string =>
  Buffer.from(reason)
    .subarray(0, 120)
    .toString()
    .replace(/\uFFFD+$/, '');

/** An open WebSocket. */
export class LiveSocket implements Outlet {
  readonly transport = 'websocket';
  readonly #drained: () => Promise<void>;
  /** Whether anything has come since it was asked for a sign of life. */
  #isAlive = true;

  constructor(
    readonly socket: WebSocket,
    raw: Duplex,
  ) {
    this.#drained = drained(raw);
    socket.on('pong', () => this.#heard()).on('ping', () => this.#heard());
    // What cannot be read as frames has been answered with the code for it.
    socket.on('error', () => undefined);
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  get waiting(): number {
    return this.socket.bufferedAmount;
  }

  /** Is asked for a sign of life by its host, whether or not it has subscriptions. */
  ping(): void {}

  /** Asks for a sign of life; hangs up where none has come since the last time. */
  probe(): void {
    if (!this.#isAlive) this.cut();
    else if (this.isOpen) this.socket.ping();
    this.#isAlive = false;
  }

  cut(): void {
    this.socket.terminate();
  }

  close(code?: number, reason = ''): void {
    this.socket.close(code, short(reason));
  }

  /** Hears what comes, one after the other as far as it is read at once. */
  hear(message: (text: string) => Promise<void>): void {
    this.socket.on('message', (data, isBinary) => {
      this.#heard();
      if (!this.isOpen) return;
      if (isBinary) return this.close(CloseCode.BadRequest, 'expected text');
      message(String(data)).catch((error: unknown) => {
        if (error instanceof SocketClosing) this.close(error.code, error.message);
        else this.close(CloseCode.BadRequest, 'Invalid message received');
      });
    });
  }

  /** Sends a text; done when so little waits that there may be more. */
  async send(text: string): Promise<void> {
    if (!this.isOpen) return;
    this.socket.send(text, () => undefined);
    if (this.waiting > mostWaiting) await this.#drained();
  }

  #heard(): void {
    this.#isAlive = true;
    if (this.waiting > most) this.cut();
  }
}
