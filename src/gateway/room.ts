import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { problem } from '../kernel/declare/errors.js';
import { unanswered, waitedFor } from './in-time.js';
import { checkValues } from './json-values.js';
import { maxBodyBytes } from './limits.js';

interface Waiting {
  readonly weight: number;
  readonly comeIn: () => void;
}

/** So many may always wait: that is a lot of clients, not too many. */
const crowd = 64;

/** What requests may hold of one thing, all together. Who finds no room waits for it, in turn; who has waited too long in a crowd is UNAVAILABLE. */
export class Room {
  #held = 0;
  readonly #waiting = new Set<Waiting>();

  constructor(
    readonly capacity: number,
    /** How long a request waits, in seconds from when it arrived. */
    readonly patience = 5,
    /** How many may wait for longer: they are few enough to have their turn soon. */
    readonly spared = crowd,
    /** How much is held before who waits comes in: less where fewer at once are done sooner. */
    readonly inCrowd = capacity,
  ) {}

  /** Takes so much, when there is room and nobody waits for it. Who got it leaves. */
  enter(weight = 1): boolean {
    if (this.#waiting.size > 0 || this.#held + weight > this.capacity) return false;
    this.#held += weight;
    return true;
  }

  /** Takes so much, whether there is room or not. Who got it leaves. */
  force(weight = 1): void {
    this.#held += weight;
  }

  /** Gives back what was taken, to those who have waited longest. */
  leave(weight = 1): void {
    this.#held -= weight;
    if (this.#waiting.size > 0) this.#admit();
  }

  /** Waits until there is room for so much, and holds it until the answer is with the client, or the client gone. More than all counts as all. */
  async hold(amount: number, response: ServerResponse): Promise<void> {
    const weight = Math.min(amount, this.capacity);
    if (!this.enter(weight)) await this.wait(response, weight);
    const leave = () => this.leave(weight);
    if (response.closed || response.destroyed) leave();
    else response.once('close', leave);
  }

  /** Waits for so much, and takes it. Who got it leaves. */
  wait(response?: ServerResponse, weight = 1): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (done: () => void) => () => {
        clearTimeout(timer);
        response?.off('close', giveUp);
        this.#waiting.delete(waiting);
        done();
      };
      const giveUp = settle(() => {
        reject(problem('UNAVAILABLE', 'there is too much to do at once', { retryAfter: 5 }));
        this.#admit();
      });
      const waiting = { weight, comeIn: settle(resolve) };
      const expire = () => {
        if (this.#waiting.size > this.spared) giveUp();
        else timer.refresh();
      };
      const timer = setTimeout(expire, Math.max(this.patience * 1000 - (response ? waitedFor(response) : 0), 1));
      response?.once('close', giveUp);
      this.#waiting.add(waiting);
    });
  }

  /** Lets in who has waited longest, as long as there is room. */
  #admit(): void {
    for (const { weight, comeIn } of this.#waiting) {
      if (this.#held + weight > this.inCrowd) return;
      this.#held += weight;
      comeIn();
    }
  }
}

const kilobyte = 2 ** 10;
const megabyte = 2 ** 20;

/** From here on, a body is large: it is read, and what it says done, only while there is room. Objects made of it take up to twenty times its bytes. */
const large = 64 * kilobyte;
const arriving = new Room(32 * megabyte);
const understood = new Room(2 * megabyte);

/** Waits for room for the bytes of a body, as many as its headers say, before they are read; null for a small one, which needs none. */
export function holdBytes(headers: IncomingHttpHeaders, response: ServerResponse): Promise<void> | null {
  // Unpacked it may have as many as any.
  const isUnknown = headers['content-encoding'] !== undefined || headers['transfer-encoding'] !== undefined;
  const bytes = isUnknown ? maxBodyBytes : Number(headers['content-length'] ?? 0);
  return bytes <= large ? null : arriving.hold(Math.min(bytes, maxBodyBytes), response);
}

/** Waits for room for what a body says, before it is parsed; null for a small one, which needs none. BAD_INPUT where that is too many values. */
export const holdContent = (body: Buffer, response: ServerResponse): Promise<void> | null =>
  body.length <= large ? null : understood.hold(body.length, response).then(() => checkValues(body));

const costly = 10_000;
const made = new Room(200_000);

/** Waits for room for the answer of an operation of such a cost, before it runs. */
export async function holdAnswer(cost: number, response: ServerResponse | undefined): Promise<void> {
  if (response && cost > costly) await made.hold(cost, response);
}

const lists = new Room(64);
const written = new Room(2, 2, 0);

/** How long a client may take nothing of a list before another one is begun, in milliseconds. */
const aside = 50;

/**
 * Waits for room for one more list that leaves in pieces, and gives the pieces as they are to be written. Where there is a crowd, few lists are
 * written at once, so that they come to their end; none waits for a client that does not read.
 */
export async function holdList(pieces: AsyncIterable<string>, response: ServerResponse): Promise<AsyncIterable<string>> {
  await lists.hold(1, response);
  if (unanswered() <= crowd) written.force();
  else if (!written.enter()) await written.wait(response);
  return inTurn(pieces);
}

async function* inTurn(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let isAside = false;
  const leave = () => {
    if (!isAside) written.leave();
    isAside = true;
  };
  try {
    for await (const piece of pieces) {
      const waiting = setTimeout(leave, aside);
      yield piece;
      clearTimeout(waiting);
      // What was begun is gone on with, also beyond the room that there is.
      if (isAside) written.force();
      isAside = false;
    }
  } finally {
    leave();
  }
}
