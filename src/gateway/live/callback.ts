import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';
import { badInput } from '../../kernel/declare/errors.js';
import { Problems } from '../../kernel/declare/problems.js';

/** How a router wants to be called back with the events of a subscription. */
export interface CallbackAddress {
  readonly url: string;
  readonly id: string;
  /** What shows the router that it is called by whom it has asked. */
  readonly verifier: string;
  /** How often it wants to hear that the subscription goes on, in milliseconds; 0 where it does not. */
  readonly heartbeat: number;
}

const version = 'callback/1.0';
/** How long one waits for a router before it is called again, in milliseconds; after the last it is taken for gone. */
const pauses = [100, 300, 900, 2_700];
const patience = 5_000;
/** So many heartbeats in a row may fail. */
const mostFailures = 5;
/** Less often would be too seldom for any router, more often too much for this one. */
const leastHeartbeat = 100;
const mostHeartbeat = 600_000;

const isWithin = (url: URL, bases: readonly string[]): boolean =>
  !url.username && !url.password && bases.some((base) => url.href === base || url.href.startsWith(base.replace(/\/?$/, '/')));

const place = 'extensions.subscription';
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 255;

/**
 * Reads what a router says in the extensions of its request; BAD_INPUT with all that is wrong with it. Only addresses that are known to be of
 * routers are called: there are routers that pass on what clients write there.
 */
export function callbackAddress(said: Readonly<Record<string, unknown>>, known: readonly string[]): CallbackAddress {
  const { callbackUrl, subscriptionId: id, verifier, heartbeatIntervalMs = 5_000 } = said;
  const problems = new Problems();
  const url = typeof callbackUrl === 'string' ? URL.parse(callbackUrl) : null;
  if (!url || !isWithin(url, known)) problems.add(`${place}.callbackUrl`, 'an address of a router that is known here');
  for (const [name, value] of Object.entries({ subscriptionId: id, verifier }))
    if (!isText(value)) problems.add(`${place}.${name}`, 'a text of 1 to 255 characters');
  const heartbeat = Number(heartbeatIntervalMs);
  const isTime = typeof heartbeatIntervalMs === 'number' && Number.isInteger(heartbeat);
  if (!isTime || (heartbeat !== 0 && (heartbeat < leastHeartbeat || heartbeat > mostHeartbeat)))
    problems.add(`${place}.heartbeatIntervalMs`, `0, or ${leastHeartbeat} to ${mostHeartbeat} milliseconds`);
  if (problems.list.length === 0 && url && isText(id) && isText(verifier)) return { url: url.href, id, verifier, heartbeat };
  throw badInput(problems.list);
}

/** An error as it is written: what is said in it to servers of HTTP stays here. */
export const writtenError = (error: GraphQLError): GraphQLFormattedError => {
  const { extensions: { http: _, ...extensions } = {}, ...rest } = error.toJSON();
  return { ...rest, extensions };
};

interface Message {
  readonly action: 'check' | 'next' | 'complete';
  readonly payload?: object;
  readonly errors?: readonly GraphQLFormattedError[];
}

/** Calls a router once: whether it still wants to hear of the subscription. Fails where it cannot tell. */
async function call({ url, id, verifier }: CallbackAddress, message: Message): Promise<boolean> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'subscription-protocol': version },
    body: JSON.stringify({ kind: 'subscription', id, verifier, ...message }),
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  });
  await response.body?.cancel();
  if (response.status >= 500) throw new Error(`the router answers ${response.status}`);
  return response.ok;
}

/** The subscriptions of routers that want to be called back. */
export class Callbacks {
  readonly #open = new Set<Promise<void>>();
  #isEnding = false;

  /** Asks a router whether it was it that has asked. */
  check(to: CallbackAddress): Promise<boolean> {
    return this.#surely(to, { action: 'check' });
  }

  /** Tells it that there are no events, or no more. */
  async complete(to: CallbackAddress, errors: readonly GraphQLError[] = []): Promise<void> {
    await this.#surely(to, { action: 'complete', ...(errors.length ? { errors: errors.map(writtenError) } : {}) });
  }

  /** Tells it the events, one after the other, as long as it wants to hear of them. */
  tell(to: CallbackAddress, events: AsyncIterableIterator<ExecutionResult>): void {
    const telling = this.#tell(to, events).finally(() => this.#open.delete(telling));
    this.#open.add(telling);
  }

  /** Waits for a moment until those are told whose events have ended. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    await Promise.race([Promise.all(this.#open), sleep(2_000, undefined, { ref: false })]);
  }

  async #tell(to: CallbackAddress, events: AsyncIterableIterator<ExecutionResult>): Promise<void> {
    let isGone = false;
    let failures = 0;
    const leave = () => {
      isGone = true;
      void events.return?.();
    };
    const beat = () =>
      call(to, { action: 'check' }).then(
        (isWanted) => {
          failures = 0;
          if (!isWanted) leave();
        },
        () => {
          failures += 1;
          if (failures >= mostFailures) leave();
        },
      );
    const timer = to.heartbeat ? setInterval(() => void beat(), to.heartbeat).unref() : undefined;
    try {
      for await (const { data, errors } of events) {
        const payload = { data, ...(errors ? { errors: errors.map(writtenError) } : {}) };
        if (!isGone && (await this.#surely(to, { action: 'next', payload }))) continue;
        isGone = true;
        break;
      }
    } finally {
      clearInterval(timer);
    }
    if (!isGone) await this.complete(to);
  }

  /** Calls it until it has heard, or is gone. */
  async #surely(to: CallbackAddress, message: Message): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      const isWanted = await call(to, message).catch(() => null);
      const pause = pauses[attempt];
      if (isWanted !== null) return isWanted;
      if (pause === undefined || this.#isEnding) return false;
      await sleep(pause, undefined, { ref: false });
    }
  }
}
