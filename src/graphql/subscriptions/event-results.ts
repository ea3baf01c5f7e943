import { setImmediate as nextTick } from 'node:timers/promises';
import { type DocumentNode, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import type { LiveEvent } from '../../kernel/serve/live-events.js';
import { FairLimiter } from './fair-limiter.js';

/** The operation that a subscription runs for each event. */
export interface SubscriptionRequest {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown>;
  /** Maximum number of fields in one result. */
  readonly cost: number;
}

/** A subscriber that receives an event. */
export interface Subscriber {
  /** Returns the caller as of the last check. Roles and tokens may change while a result waits in the limiter. */
  readonly currentCaller: () => Caller;
  /** Whether the subscription is open. Closed subscriptions need no result. */
  readonly isOpen: () => boolean;
  readonly origin: string;
  /** Key of the caller in the limiter. */
  readonly callerKey: string;
}

const limiter = new FairLimiter(8);

const documentNumbers = new WeakMap<DocumentNode, number>();
let documentCount = 0;

function numberOf(document: DocumentNode): number {
  const number = documentNumbers.get(document) ?? ++documentCount;
  documentNumbers.set(document, number);
  return number;
}

/** Returns a key for all properties of a request that determine a result, other than the event and the caller. */
const requestKeyOf = ({ document, operationName = '', variables }: SubscriptionRequest, origin: string): string =>
  JSON.stringify([numberOf(document), operationName, variables, origin]);

const permissionsKeyOf = ({ platform, key, user }: Caller): string =>
  JSON.stringify([platform?.id, key?.id, user && [user.id, user.isSuperAdmin, [...user.roles]]]);

type EventResult = Promise<ExecutionResult | null>;

/** The first result for an event, with the permissions of the caller for which it was computed. */
interface FirstResult {
  readonly result: ExecutionResult | null;
  readonly permissionsKey: string;
  /** Whether the result is the same for all callers. */
  readonly isCallerIndependent: boolean;
}

/** Result for one event, which several subscribers share. */
class SharedResult {
  /** Subscribers grouped by caller key. Each caller waits in the limiter only once. */
  readonly subscribers = new Map<string, Subscriber[]>();
  /** Pending results keyed by permissions. Callers with the same permissions share a result. */
  readonly resultsByPermissions = new Map<string, EventResult>();
  hasStarted = false;
  readonly #outcome = Promise.withResolvers<FirstResult | null>();

  /** The first result, once it is computed. Null if the computation failed. */
  get outcome(): Promise<FirstResult | null> {
    return this.#outcome.promise;
  }

  settle(outcome: FirstResult | null): void {
    this.#outcome.resolve(outcome);
  }

  /** Adds a subscriber. Returns true if its caller is not waiting in the limiter yet. */
  add(subscriber: Subscriber): boolean {
    const waitingSubscribers = this.subscribers.get(subscriber.callerKey);
    if (waitingSubscribers) waitingSubscribers.push(subscriber);
    else this.subscribers.set(subscriber.callerKey, [subscriber]);
    return waitingSubscribers === undefined;
  }
}

/** Results that are not being computed yet, keyed by event and operation. */
const pendingResults = new WeakMap<object, Map<string, SharedResult>>();

/** Wraps a caller to detect whether any of its properties is read. */
function trackReads(caller: Caller): { caller: Caller; wasRead: () => boolean } {
  let wasRead = false;
  const get = (target: Caller, name: keyof Caller) => {
    wasRead = true;
    return target[name];
  };
  return { caller: new Proxy(caller, { get: get as ProxyHandler<Caller>['get'] }), wasRead: () => wasRead };
}

/** Computes the result for one caller. Returns null if the caller cannot receive the event. */
async function compute(request: SubscriptionRequest, event: LiveEvent, context: Context): EventResult {
  const { schema, document, operationName = null, variables } = request;
  if (!(await event.canReceive(context))) return null;
  return execute({
    schema,
    document,
    operationName,
    variableValues: variables,
    contextValue: context,
    rootValue: event.source,
  });
}

/**
 * Computes the result of a subscription for an event. Returns null if the subscriber cannot receive the event. Concurrent requests of one
 * caller share a computation. If the result does not depend on the caller, all callers share it: the first caller that the limiter admits
 * computes it. A request never joins a computation that has already started, because the data may have been hidden since.
 */
export async function computeEventResult(
  request: SubscriptionRequest,
  event: LiveEvent,
  subscriber: Subscriber,
  contextOf: (caller: Caller) => Context,
): EventResult {
  const { currentCaller, isOpen, origin, callerKey } = subscriber;
  const resultsByRequest = pendingResults.get(event.notification) ?? new Map<string, SharedResult>();
  pendingResults.set(event.notification, resultsByRequest);
  const requestKey = requestKeyOf(request, origin);
  const sharedComputation = resultsByRequest.get(requestKey) ?? new SharedResult();
  resultsByRequest.set(requestKey, sharedComputation);

  let firstResult: EventResult | null = null;
  const start = async (): Promise<void> => {
    if (sharedComputation.hasStarted) return;
    const computingSubscriber = isOpen()
      ? subscriber
      : sharedComputation.subscribers.get(callerKey)?.find((candidate) => candidate.isOpen());
    sharedComputation.subscribers.delete(callerKey);
    // Another caller is still waiting in the limiter and computes the result.
    if (!computingSubscriber && sharedComputation.subscribers.size > 0) return;
    sharedComputation.hasStarted = true;
    resultsByRequest.delete(requestKey);
    if (!computingSubscriber) return sharedComputation.settle(null);
    const identifiedCaller = computingSubscriber.currentCaller();
    const { caller, wasRead } = trackReads(identifiedCaller);
    const eventResult = compute(request, event, contextOf(caller));
    if (computingSubscriber === subscriber) firstResult = eventResult;
    const result = await eventResult.catch(() => undefined);
    const isUsable = result !== undefined && !result?.errors;
    sharedComputation.settle(
      isUsable ? { result, permissionsKey: permissionsKeyOf(identifiedCaller), isCallerIndependent: !wasRead() } : null,
    );
  };
  if (sharedComputation.add(subscriber)) {
    // Waits one tick, so that other subscribers can join the computation.
    void nextTick().then(() => limiter.run(callerKey, request.cost, start));
  }

  const outcome = await sharedComputation.outcome;
  if (firstResult) return firstResult;
  if (!isOpen()) return null;
  const ownKey = permissionsKeyOf(currentCaller());
  if (outcome && (outcome.isCallerIndependent || ownKey === outcome.permissionsKey)) return outcome.result;
  const permissionsResult = sharedComputation.resultsByPermissions.get(ownKey);
  if (permissionsResult) return permissionsResult;
  const eventResult = limiter.run(callerKey, request.cost, () => {
    sharedComputation.resultsByPermissions.delete(ownKey);
    return compute(request, event, contextOf(currentCaller()));
  });
  sharedComputation.resultsByPermissions.set(ownKey, eventResult);
  return eventResult;
}
