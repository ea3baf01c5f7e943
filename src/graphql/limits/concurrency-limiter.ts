import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createUnavailableError } from '../../kernel/monitoring/unavailable.js';
import { onClose } from '../../process/on-close.js';
import { checkValueCount } from '../coercion/json-values.js';
import { elapsedMs, pendingRequestCount } from './deadline.js';
import { maxBodyBytes } from './request-limits.js';

interface QueuedRequest {
  readonly weight: number;
  readonly admit: () => void;
}

/** Number of pending requests above which the process is overloaded. */
const overloadThreshold = 64;

/** Calls a function when a response is closed, or at once if it is already closed. */
function callOnClose(response: ServerResponse, callback: () => void): void {
  if (response.closed || response.destroyed) callback();
  else onClose(response, callback);
}

/**
 * Limits the total amount of a resource that requests use at the same time. Requests beyond the capacity wait in order. Under overload, a
 * request that waits longer than the timeout fails with UNAVAILABLE.
 */
export class ConcurrencyLimiter {
  #acquired = 0;
  readonly #queue = new Set<QueuedRequest>();

  constructor(
    readonly capacity: number,
    /** Timeout in seconds, measured from the arrival of the request. */
    readonly timeoutSeconds = 5,
    /** Queue length up to which requests may wait longer than the timeout, because short queues empty quickly. */
    readonly overloadQueueLength = overloadThreshold,
    /**
     * Capacity up to which queued requests are admitted. If it is lower than `capacity`, fewer requests run at a time and each finishes
     * sooner.
     */
    readonly queuedCapacity = capacity,
  ) {}

  /** Amount in use. */
  get acquired(): number {
    return this.#acquired;
  }

  /** Number of waiting requests. */
  get queueLength(): number {
    return this.#queue.size;
  }

  /** Acquires an amount of the capacity if it is available and no other request waits. The caller must release it. */
  tryAcquire(weight = 1): boolean {
    if (this.#queue.size > 0 || this.#acquired + weight > this.capacity) return false;
    this.#acquired += weight;
    return true;
  }

  /** Acquires an amount even if it exceeds the capacity. The caller must release it. */
  forceAcquire(weight = 1): void {
    this.#acquired += weight;
  }

  /** Releases an amount and admits waiting requests. */
  release(weight = 1): void {
    this.#acquired -= weight;
    if (this.#queue.size > 0) this.#admitQueued();
  }

  /**
   * Waits for an amount of the capacity, and releases it when the response is closed. Amounts above the capacity are reduced to the
   * capacity. Returns a function that releases the amount earlier. Repeated calls of the function have no effect.
   */
  async acquireForResponse(amount: number, response: ServerResponse): Promise<() => void> {
    const weight = Math.min(amount, this.capacity);
    if (!this.tryAcquire(weight)) await this.acquire(response, weight);
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.release(weight);
    };
    callOnClose(response, release);
    return release;
  }

  /** Waits until an amount of the capacity is available, and acquires it. The caller must release it. */
  acquire(response?: ServerResponse, weight = 1): Promise<void> {
    return new Promise((resolve, reject) => {
      const settleWith = (settleResult: () => void) => () => {
        clearTimeout(timer);
        response?.off('close', rejectOverloaded);
        this.#queue.delete(queued);
        settleResult();
      };
      const rejectOverloaded = settleWith(() => {
        reject(createUnavailableError({ reason: 'overload' }, 'the service is overloaded', 5));
        this.#admitQueued();
      });
      const queued = { weight, admit: settleWith(resolve) };
      const expire = () => {
        if (this.#queue.size > this.overloadQueueLength) rejectOverloaded();
        else timer.refresh();
      };
      const timer = setTimeout(expire, Math.max(this.timeoutSeconds * 1000 - (response ? elapsedMs(response) : 0), 1));
      response?.once('close', rejectOverloaded);
      this.#queue.add(queued);
    });
  }

  /** Admits waiting requests in order while there is capacity. */
  #admitQueued(): void {
    for (const { weight, admit } of this.#queue) {
      if (this.#acquired + weight > this.queuedCapacity) return;
      this.#acquired += weight;
      admit();
    }
  }
}

const kilobyte = 2 ** 10;
const megabyte = 2 ** 20;

/**
 * Body size above which requests must acquire memory from the two limiters below, before the body is read and before it is parsed. Parsed
 * objects take up to twenty times as much memory as their text.
 */
const largeBodyBytes = 64 * kilobyte;
const bodyBytesLimiter = new ConcurrencyLimiter(32 * megabyte);
const parsedBytesLimiter = new ConcurrencyLimiter(2 * megabyte);

/** Functions that release the amounts that each response has acquired from the two limiters above. */
const bodyReleases = new WeakMap<ServerResponse, (() => void)[]>();

async function acquireForBody(limiter: ConcurrencyLimiter, bytes: number, response: ServerResponse): Promise<void> {
  const release = await limiter.acquireForResponse(bytes, response);
  bodyReleases.set(response, [...(bodyReleases.get(response) ?? []), release]);
}

/**
 * Releases the memory that the request of a response has acquired for its body. Event streams call it when they start, because they stay open
 * long after the body was parsed.
 */
export function releaseBodyBytes(response: ServerResponse): void {
  for (const release of bodyReleases.get(response) ?? []) release();
  bodyReleases.delete(response);
}

/** Waits for capacity to read a body. Determines its size from the headers. Returns null for small bodies, which are not limited. */
export function acquireBodyBytes(headers: IncomingHttpHeaders, response: ServerResponse): Promise<void> | null {
  // Assumes the maximum for a compressed or chunked body, because its size is unknown.
  const isSizeUnknown = headers['content-encoding'] !== undefined || headers['transfer-encoding'] !== undefined;
  const bytes = isSizeUnknown ? maxBodyBytes : Number(headers['content-length'] ?? 0);
  return bytes <= largeBodyBytes ? null : acquireForBody(bodyBytesLimiter, Math.min(bytes, maxBodyBytes), response);
}

/**
 * Waits for capacity to parse a body. Returns null for small bodies, which are not limited. Throws BAD_INPUT if the body has too many
 * values.
 */
export const acquireParsedBytes = (body: Buffer, response: ServerResponse): Promise<void> | null =>
  body.length <= largeBodyBytes
    ? null
    : acquireForBody(parsedBytesLimiter, body.length, response).then(() => checkValueCount(body));

/** Responses up to this cost do not need to acquire capacity. */
const maxUnlimitedResponseCost = 10_000;
const responseCostLimiter = new ConcurrencyLimiter(200_000);

/** Waits for the capacity to compute a response of this cost. Must be called before the operation runs. */
export async function reserveResponseCost(cost: number, response: ServerResponse | undefined): Promise<void> {
  if (response && cost > maxUnlimitedResponseCost) await responseCostLimiter.acquireForResponse(cost, response);
}

const listLimiter = new ConcurrencyLimiter(64);
const activeListLimiter = new ConcurrencyLimiter(2, 2, 0);

/** Time in milliseconds that a client may pause reading a list, before the list gives up its slot to another list. */
const idleClientMs = 50;

/** Slot of a list whose chunks are being written to the client. */
class ActiveListSlot {
  #isHeld = true;

  /** Releases the slot. Repeated calls have no effect. */
  readonly release = (): void => {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    activeListLimiter.release();
  };

  /** Acquires the slot again if it was released. A list that has started always continues, even beyond the capacity. */
  reacquire(): void {
    if (!this.#isHeld) activeListLimiter.forceAcquire();
    this.#isHeld = true;
  }
}

/**
 * Waits for capacity to stream a list, and returns the chunks to write. Under overload, only two lists are written at a time, so each
 * finishes sooner. A client that stops reading does not block other lists.
 */
export async function acquireList(chunks: AsyncIterable<string>, response: ServerResponse): Promise<AsyncIterable<string>> {
  await listLimiter.acquireForResponse(1, response);
  if (pendingRequestCount() <= overloadThreshold) activeListLimiter.forceAcquire();
  else if (!activeListLimiter.tryAcquire()) await activeListLimiter.acquire(response);
  const slot = new ActiveListSlot();
  // If the client disconnects before the first chunk is read, the generator never starts, so its `finally` block does not run.
  callOnClose(response, slot.release);
  return yieldWithSlot(chunks, slot);
}

async function* yieldWithSlot(chunks: AsyncIterable<string>, slot: ActiveListSlot): AsyncGenerator<string> {
  try {
    for await (const chunk of chunks) {
      const idleTimer = setTimeout(slot.release, idleClientMs);
      yield chunk;
      clearTimeout(idleTimer);
      slot.reacquire();
    }
  } finally {
    slot.release();
  }
}
