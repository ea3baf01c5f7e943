import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';
import { badInputError } from '../../kernel/declare/errors.js';
import { Problems } from '../../kernel/declare/problems.js';
import { serializeError } from './result-json.js';

/** Callback URL to which a router receives the events of a subscription (Apollo HTTP callback protocol). */
export interface CallbackAddress {
  readonly url: string;
  readonly id: string;
  /** Secret that proves to the router that the events come from this service. */
  readonly verifier: string;
  /** Interval of heartbeats in milliseconds. 0 disables them. */
  readonly heartbeat: number;
}

const version = 'callback/1.0';
/** Pauses between retries of a callback, in milliseconds. If the last retry fails, the router is considered disconnected. */
const retryPausesMs = [100, 300, 900, 2_700];
const callTimeoutMs = 5_000;
/** Maximum number of consecutive failed heartbeats. */
const maxFailedHeartbeats = 5;
/** Range of heartbeat intervals in milliseconds. */
const minHeartbeatMs = 100;
const maxHeartbeatMs = 600_000;

const isUnderBase = (url: URL, bases: readonly string[]): boolean =>
  !url.username && !url.password && bases.some((base) => url.href === base || url.href.startsWith(base.replace(/\/?$/, '/')));

const fieldPrefix = 'extensions.subscription';
const isShortText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 255;

/**
 * Parses the subscription extension of a request. Throws BAD_INPUT with all problems. Only configured router URLs are accepted,
 * because some routers forward extensions that clients send.
 */
export function callbackAddress(request: Readonly<Record<string, unknown>>, routerUrls: readonly string[]): CallbackAddress {
  const { callbackUrl, subscriptionId: id, verifier, heartbeatIntervalMs = 5_000 } = request;
  const problems = new Problems();
  const url = typeof callbackUrl === 'string' ? URL.parse(callbackUrl) : null;
  if (!url || !isUnderBase(url, routerUrls)) problems.add(`${fieldPrefix}.callbackUrl`, 'a configured router URL');
  for (const [name, value] of Object.entries({ subscriptionId: id, verifier }))
    if (!isShortText(value)) problems.add(`${fieldPrefix}.${name}`, 'a string of 1 to 255 characters');
  const heartbeat = Number(heartbeatIntervalMs);
  const isInteger = typeof heartbeatIntervalMs === 'number' && Number.isInteger(heartbeat);
  if (!isInteger || (heartbeat !== 0 && (heartbeat < minHeartbeatMs || heartbeat > maxHeartbeatMs)))
    problems.add(`${fieldPrefix}.heartbeatIntervalMs`, `0, or ${minHeartbeatMs} to ${maxHeartbeatMs} milliseconds`);
  if (problems.list.length === 0 && url && isShortText(id) && isShortText(verifier))
    return { url: url.href, id, verifier, heartbeat };
  throw badInputError(problems.list);
}

interface Message {
  readonly action: 'check' | 'next' | 'complete';
  readonly payload?: object;
  readonly errors?: readonly GraphQLFormattedError[];
}

/** Sends one callback. Returns false if the router has closed the subscription. Throws on server errors and timeouts. */
async function call({ url, id, verifier }: CallbackAddress, message: Message): Promise<boolean> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'subscription-protocol': version },
    body: JSON.stringify({ kind: 'subscription', id, verifier, ...message }),
    redirect: 'manual',
    signal: AbortSignal.timeout(callTimeoutMs),
  });
  await response.body?.cancel();
  if (response.status >= 500) throw new Error(`the router responded with ${response.status}`);
  return response.ok;
}

/** Open subscriptions that deliver events by callback. */
export class Callbacks {
  readonly #openSubscriptions = new Set<Promise<void>>();
  #isStopping = false;

  /** Asks the router to confirm that it requested the subscription. */
  check(address: CallbackAddress): Promise<boolean> {
    return this.#callWithRetries(address, { action: 'check' });
  }

  /** Notifies the router that the subscription has ended. */
  async complete(address: CallbackAddress, errors: readonly GraphQLError[] = []): Promise<void> {
    await this.#callWithRetries(address, {
      action: 'complete',
      ...(errors.length ? { errors: errors.map(serializeError) } : {}),
    });
  }

  /** Delivers the events to the router in order, until the router closes the subscription. */
  deliver(address: CallbackAddress, events: AsyncIterableIterator<ExecutionResult>): void {
    const delivery = this.#deliverEvents(address, events).finally(() => this.#openSubscriptions.delete(delivery));
    this.#openSubscriptions.add(delivery);
  }

  /** Stops retries, and waits at most two seconds for pending deliveries. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.race([Promise.all(this.#openSubscriptions), sleep(2_000, undefined, { ref: false })]);
  }

  async #deliverEvents(address: CallbackAddress, events: AsyncIterableIterator<ExecutionResult>): Promise<void> {
    let isClosed = false;
    let failures = 0;
    const close = () => {
      isClosed = true;
      void events.return?.();
    };
    const sendHeartbeat = () =>
      call(address, { action: 'check' }).then(
        (isActive) => {
          failures = 0;
          if (!isActive) close();
        },
        () => {
          failures += 1;
          if (failures >= maxFailedHeartbeats) close();
        },
      );
    const timer = address.heartbeat ? setInterval(() => void sendHeartbeat(), address.heartbeat).unref() : undefined;
    try {
      for await (const { data, errors } of events) {
        const payload = { data, ...(errors ? { errors: errors.map(serializeError) } : {}) };
        if (!isClosed && (await this.#callWithRetries(address, { action: 'next', payload }))) continue;
        isClosed = true;
        break;
      }
    } finally {
      clearInterval(timer);
    }
    if (!isClosed) await this.complete(address);
  }

  /** Sends a callback, and retries it until it succeeds or all retries have failed. Returns whether the subscription is still open. */
  async #callWithRetries(address: CallbackAddress, message: Message): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      const isActive = await call(address, message).catch(() => null);
      const pause = retryPausesMs[attempt];
      if (isActive !== null) return isActive;
      if (pause === undefined || this.#isStopping) return false;
      await sleep(pause, undefined, { ref: false });
    }
  }
}
