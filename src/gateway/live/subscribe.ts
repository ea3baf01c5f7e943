import { setTimeout as sleep } from 'node:timers/promises';
import { createSourceEventStream, type ExecutionResult, GraphQLError, getOperationAST } from 'graphql';
import type { Caller } from '../../kernel/declare/caller.js';
import type { Client } from '../../kernel/declare/context.js';
import { codeOf } from '../../kernel/declare/errors.js';
import { networkOf } from '../../kernel/network.js';
import type { LiveEvent, LiveEvents } from '../../kernel/serve/live-events.js';
import { coerceVariables } from '../coerce-variables.js';
import { costOf } from '../complexity.js';
import { contextOf, type Resources } from '../context.js';
import { inRequest } from '../error-requests.js';
import type { Mask } from '../mask.js';
import { type Asked, answerOf } from './answers.js';
import { liveCounts } from './counts.js';
import { heavyCost } from './fair-limiter.js';
import { inOrder } from './in-order.js';
import type { Outlet } from './outlet.js';
import { callerKeyOf, type Stream, type Streams } from './streams.js';

/** Who subscribes, and what they are served by. */
export interface Subscribing {
  readonly resources: Resources;
  readonly streams: Streams;
  readonly mask: Mask;
  readonly client: Client;
  readonly caller: Caller;
  /** By what they are told; null within the process. */
  readonly outlet: Outlet | null;
  identify(): Promise<Caller>;
}

/** How long one waits before an event is tried again that the database could not be asked about, in milliseconds; after the last it fails. */
const pauses = [50, 100, 200, 400, 800, 1_600, 3_000, 5_000, 8_000, 10_000];

/** The temporary error of an answer, or null if it has none. */
const failedForNow = ({ errors = [] }: ExecutionResult): GraphQLError | null =>
  errors.find((error) => codeOf(error) === 'UNAVAILABLE') ??
  errors.find((error) => (codeOf(error) ?? 'INTERNAL') === 'INTERNAL') ??
  null;

/** The answers to the events of a subscription, one after the other. */
class Answers implements AsyncIterableIterator<ExecutionResult>, Stream {
  caller: Caller;
  readonly address: string;
  readonly callerKey: string;
  readonly outlet: Outlet | null;
  readonly #answers: AsyncGenerator<ExecutionResult | null, void>;
  #error: Error | null = null;
  #isOver = false;

  constructor(
    readonly asked: Asked,
    readonly events: LiveEvents,
    readonly by: Subscribing,
  ) {
    this.caller = by.caller;
    this.address = networkOf(by.client.address);
    this.outlet = by.outlet;
    this.callerKey = callerKeyOf(by.caller, this.address);
    this.#answers = inOrder(events, (event) => this.#told(event), {
      limit: asked.cost < heavyCost ? maxConcurrentAnswers : 1,
      keyOf: recordKeyOf,
    });
    by.streams.add(this);
  }

  get cost(): number {
    return this.asked.cost;
  }

  get isBehind(): boolean {
    return this.events.watch.hasFailed;
  }

  admit(caller: Caller): void {
    this.events.admit(caller);
  }

  identify(): Promise<Caller> {
    return this.by.identify();
  }

  end(error: Error | null): void {
    this.#error = error;
    void this.events.return();
    this.#finish();
  }

  async next(): Promise<IteratorResult<ExecutionResult>> {
    const { mask, client } = this.by;
    const masked = (errors: readonly GraphQLError[]) => errors.map((error) => mask(inRequest(error, client.requestId)));
    try {
      while (!this.#isOver) {
        const { done, value: result } = await this.#answers.next();
        if (done || this.#isOver) break;
        if (result) {
          if (this.outlet) liveCounts.told[this.outlet.transport] += 1;
          return { done: false, value: result.errors ? { ...result, errors: masked(result.errors) } : result };
        }
      }
    } catch (error) {
      this.#error ??= error instanceof Error ? error : new Error(String(error));
      if (this.events.watch.isOverrun) this.by.streams.overrun(this);
    }
    this.#finish();
    const error = this.#error;
    this.#error = null;
    // Its last event says why it ends; who reads it comes back with the cursor before.
    if (error) return { done: false, value: { data: null, errors: masked([asGraphQL(error)]) } };
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<ExecutionResult>> {
    this.#finish();
    await this.events.return();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #finish(): void {
    this.#isOver = true;
    this.by.streams.delete(this);
  }

  /**
   * The answer to an event. After a temporary error it is computed again. If the database remains unavailable, the stream ends before the event,
   * so that the subscriber gets it after a reconnect. Other errors are sent: they would recur after a reconnect.
   */
  async #told(event: LiveEvent): Promise<ExecutionResult | null> {
    for (let attempt = 0; ; attempt++) {
      // From the primary: a replica may not have the change yet.
      const { client } = this.by;
      const resources = { ...this.by.resources, pools: this.by.resources.services.aside() };
      const subscriber = {
        currentCaller: () => this.caller,
        isOpen: () => !this.#isOver,
        origin: client.origin ?? '',
        callerKey: this.callerKey,
      };
      const context = (caller: Caller) => contextOf(resources, caller, 'write', client);
      const result = await answerOf(this.asked, event, subscriber, context).catch((error: unknown) => ({
        errors: [asGraphQL(error)],
      }));
      const pause = pauses[attempt];
      const failure = result && failedForNow(result);
      if (!failure || this.#isOver) return result;
      if (pause === undefined) {
        if (codeOf(failure) === 'UNAVAILABLE') throw failure;
        return result;
      }
      await sleep(pause, undefined, { ref: false });
    }
  }
}

/** Maximum number of answers that are computed at once for a subscriber. More would occupy the database connections. */
const maxConcurrentAnswers = 4;

/** Key of the record that an event reports. */
const recordKeyOf = ({ told }: LiveEvent): string => (told.kind === 'CHANGES_MISSED' ? '' : `${told.record} ${told.id}`);

const asGraphQL = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError('internal error', { originalError: error instanceof Error ? error : new Error(String(error)) });

/** Begins a subscription: answers to its events as long as it is open, or why it is refused. */
export async function subscribeTo(
  request: Omit<Asked, 'cost'>,
  by: Subscribing,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const { schema, document, operationName, variables } = request;
  const operation = getOperationAST(document, operationName);
  if (!operation) return { errors: [new GraphQLError(`there is no operation ${operationName ?? ''}`)] };
  const coerced = coerceVariables(schema, document, operation, variables);
  if (coerced.error) return { errors: [by.mask(coerced.error)] };
  const contextValue = contextOf({ ...by.resources, pools: by.resources.services.aside() }, by.caller, 'write', by.client);
  const events = await createSourceEventStream({
    schema,
    document,
    operationName: operationName ?? null,
    variableValues: variables,
    contextValue,
  });
  if (!(Symbol.asyncIterator in events))
    // The operation was sound: why it is refused is an answer to it, which clients of streams hand on.
    return { data: null, errors: events.errors?.map((error) => by.mask(inRequest(error, by.client.requestId))) ?? [] };
  try {
    const cost = costOf(schema, document, operationName, variables) ?? 0;
    return new Answers({ ...request, cost }, events as LiveEvents, by);
  } catch (error) {
    await (events as LiveEvents).return();
    return { data: null, errors: [by.mask(error)] };
  }
}
