import { setTimeout as sleep } from 'node:timers/promises';
import {
  createSourceEventStream,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import type { Client } from '../../kernel/declare/context.js';
import { codeOf } from '../../kernel/declare/errors.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import { networkOf } from '../../kernel/network.js';
import type { LiveEvent, LiveEvents } from '../../kernel/serve/live-events.js';
import { coerceVariables } from '../coercion/coerce-variables.js';
import { contextOf, type Resources } from '../context.js';
import { countErrors } from '../errors/error-counts.js';
import type { ErrorMask } from '../errors/mask.js';
import { tagWithClient } from '../errors/mask.js';
import { costOf } from '../limits/complexity.js';
import type { LiveConnection } from './connections.js';
import { subscriptionCounts } from './connections.js';
import { computeEventResult, type SubscriptionRequest } from './event-results.js';
import { heavyCost } from './fair-limiter.js';
import { mapInOrder } from './in-order.js';
import { callerKeyOf, type Stream, type Streams } from './streams.js';

/** A subscriber, and the services that run its subscription. */
interface SubscriberOptions {
  readonly resources: Resources;
  readonly streams: Streams;
  readonly mask: ErrorMask;
  readonly client: Client;
  readonly caller: Caller;
  /** Connection that delivers the events. Null for subscribers in this process. */
  readonly connection: LiveConnection | null;
  identify(): Promise<Caller>;
}

/**
 * Pauses between retries after a temporary error, in milliseconds. After the last retry, an UNAVAILABLE error ends the stream, and other
 * errors are sent to the subscriber.
 */
const retryPausesMs = [50, 100, 200, 400, 800, 1_600, 3_000, 5_000, 8_000, 10_000];

/** Returns the temporary error in a result, or null if there is none. */
const temporaryErrorOf = ({ errors = [] }: ExecutionResult): GraphQLError | null =>
  errors.find((error) => codeOf(error) === 'UNAVAILABLE') ??
  errors.find((error) => (codeOf(error) ?? 'INTERNAL') === 'INTERNAL') ??
  null;

/** Results of a subscription, one per event, in order. */
class ResultStream implements AsyncIterableIterator<ExecutionResult>, Stream {
  caller: Caller;
  readonly address: string;
  readonly callerKey: string;
  readonly connection: LiveConnection | null;
  readonly #results: AsyncGenerator<ExecutionResult | null, void>;
  #error: Error | null = null;
  #isFinished = false;

  constructor(
    readonly request: SubscriptionRequest,
    readonly events: LiveEvents,
    readonly options: SubscriberOptions,
  ) {
    this.caller = options.caller;
    this.address = networkOf(options.client.address);
    this.connection = options.connection;
    this.callerKey = callerKeyOf(options.caller, this.address);
    this.#results = mapInOrder(events, (event) => this.#computeResult(event), {
      limit: request.cost < heavyCost ? maxConcurrentResults : 1,
      keyOf: recordKeyOf,
    });
    options.streams.add(this);
  }

  get cost(): number {
    return this.request.cost;
  }

  get isBehind(): boolean {
    return this.events.watch.hasFailed;
  }

  admit(caller: Caller): void {
    this.events.authorize(caller);
  }

  identify(): Promise<Caller> {
    return this.options.identify();
  }

  end(error: Error | null): void {
    this.#error = error;
    this.#finish();
  }

  async next(): Promise<IteratorResult<ExecutionResult>> {
    try {
      while (!this.#isFinished) {
        const { done, value: result } = await this.#results.next();
        if (done || this.#isFinished) break;
        if (result) {
          if (this.connection) subscriptionCounts.delivered[this.connection.transport] += 1;
          return { done: false, value: result.errors ? { ...result, errors: this.#maskErrors(result.errors) } : result };
        }
      }
    } catch (error) {
      this.#error ??= error instanceof Error ? error : new Error(String(error));
      if (this.events.watch.hasOverflowed) this.options.streams.endSlow(this);
    }
    this.#finish();
    const error = this.#error;
    this.#error = null;
    // The last result contains the error but no cursor, so clients resume from the cursor of the previous event.
    if (error) return { done: false, value: { data: null, errors: this.#maskErrors([asGraphQL(error)]) } };
    return { done: true, value: undefined };
  }

  #maskErrors(errors: readonly GraphQLError[]): GraphQLError[] {
    const { mask, client } = this.options;
    const maskedErrors = errors.map((error) => mask(tagWithClient(error, client)));
    countErrors(maskedErrors);
    return maskedErrors;
  }

  async return(): Promise<IteratorResult<ExecutionResult>> {
    this.#finish();
    await this.events.return();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Repeated calls have no effect. */
  #finish(): void {
    this.#isFinished = true;
    this.options.streams.delete(this);
    // Otherwise, the watch would stay registered: WebSockets and router callbacks do not call `return()` after the last result.
    void this.events.return();
  }

  /**
   * Computes the result of an event, and retries after a temporary error. If the database remains unavailable, the stream ends before the
   * event, so that the subscriber receives the event after reconnecting. Other errors are sent to the subscriber, because they would recur.
   */
  async #computeResult(event: LiveEvent): Promise<ExecutionResult | null> {
    for (let attempt = 0; ; attempt++) {
      const { client } = this.options;
      const resources = { ...this.options.resources, pools: this.options.resources.services.backgroundPools() };
      const subscriber = {
        currentCaller: () => this.caller,
        isOpen: () => !this.#isFinished,
        origin: client.origin ?? '',
        callerKey: this.callerKey,
      };
      // Reads from the primary, because a replica may not have the change yet.
      const context = (caller: Caller) => contextOf(resources, caller, 'write', client);
      const result = await computeEventResult(this.request, event, subscriber, context).catch((error: unknown) => ({
        errors: [asGraphQL(error)],
      }));
      const pauseMs = retryPausesMs[attempt];
      const failure = result && temporaryErrorOf(result);
      if (!failure || this.#isFinished) return result;
      if (pauseMs === undefined) {
        if (codeOf(failure) === 'UNAVAILABLE') throw failure;
        return result;
      }
      await sleep(pauseMs, undefined, { ref: false });
    }
  }
}

/** Maximum number of results that are computed at once for one subscriber. A higher number would occupy too many database connections. */
const maxConcurrentResults = 4;

/** Returns a key of the record that an event is about. */
const recordKeyOf = ({ notification }: LiveEvent): string =>
  notification.kind === 'CHANGES_MISSED' ? '' : `${notification.record} ${notification.id}`;

const asGraphQL = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError('internal error', { originalError: error instanceof Error ? error : new Error(String(error)) });

/** Returns the variables that the operation declares. The others are dropped, because an open subscription would keep them in memory. */
export function declaredVariables({ variableDefinitions = [] }: OperationDefinitionNode, variables: Record<string, unknown>) {
  const names = new Set(variableDefinitions.map(({ variable }) => variable.name.value));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name)));
}

/** Starts a subscription. Returns its results, or an error if it is refused. */
export async function subscribeTo(
  request: Omit<SubscriptionRequest, 'cost'>,
  options: SubscriberOptions,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const { schema, document, operationName } = request;
  const operation = getOperationAST(document, operationName);
  if (!operation) {
    const problem = operationName
      ? `no operation named ${operationName}`
      : 'operationName: expected the name of an operation, because the document has several';
    return { errors: [new GraphQLError(problem)] };
  }
  const variables = declaredVariables(operation, request.variables);
  const { error: coercionError } = coerceVariables(schema, document, operation, variables);
  if (coercionError) return { errors: [options.mask(coercionError)] };
  const contextValue = contextOf(
    { ...options.resources, pools: options.resources.services.backgroundPools() },
    options.caller,
    'write',
    options.client,
  );
  const events = await createSourceEventStream({
    schema,
    document,
    operationName: operationName ?? null,
    variableValues: variables,
    contextValue,
  });
  if (!(Symbol.asyncIterator in events))
    // The operation is valid, so the refusal is sent as a result: clients of event streams pass only results on to the application.
    return {
      data: null,
      errors: events.errors?.map((error) => options.mask(tagWithClient(error, options.client))) ?? [],
    };
  try {
    const cost = costOf(schema, document, operationName, variables) ?? 0;
    return new ResultStream({ ...request, variables, cost }, events as LiveEvents, options);
  } catch (error) {
    await (events as LiveEvents).return();
    return { data: null, errors: [options.mask(tagWithClient(error, options.client))] };
  }
}
