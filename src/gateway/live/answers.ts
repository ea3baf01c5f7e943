import { setImmediate as nextTick } from 'node:timers/promises';
import { type DocumentNode, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import type { Caller } from '../../kernel/declare/caller.js';
import type { Context } from '../../kernel/declare/context.js';
import type { LiveEvent } from '../../kernel/serve/live-events.js';
import { FairLimiter } from './fair-limiter.js';

/** What a subscription asks of each event. */
export interface Asked {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown>;
  /** Maximum number of fields in one answer. */
  readonly cost: number;
}

/** A subscriber to whom an event is delivered. */
export interface Subscriber {
  /** The caller as last identified. Roles and tokens may change while an answer waits for its turn. */
  readonly currentCaller: () => Caller;
  /** Whether the subscription is open. Answers of closed subscriptions are not computed. */
  readonly isOpen: () => boolean;
  readonly origin: string;
  /** Identifies the caller to the limiter, which serves callers in turn. */
  readonly callerKey: string;
}

const limiter = new FairLimiter(8);

const numbers = new WeakMap<DocumentNode, number>();
let documents = 0;

function numberOf(document: DocumentNode): number {
  const number = numbers.get(document) ?? ++documents;
  numbers.set(document, number);
  return number;
}

/** Key of everything that determines an answer besides the event and the caller. */
const shapeOf = ({ document, operationName = '', variables }: Asked, origin: string): string =>
  JSON.stringify([numberOf(document), operationName, variables, origin]);

const callerOf = ({ platform, key, user }: Caller): string =>
  JSON.stringify([platform?.id, key?.id, user && [user.id, user.isSuperAdmin, [...user.roles]]]);

type Answer = Promise<ExecutionResult | null>;

/** An answer, and the caller that it was computed for. */
interface Outcome {
  readonly result: ExecutionResult | null;
  readonly caller: string;
  /** Nothing in it depends on the caller. */
  readonly isForAll: boolean;
}

/** An answer that several subscribers wait for. */
class SharedAnswer {
  /** Subscribers by the key of their caller. Each caller waits in the limiter once. */
  readonly subscribers = new Map<string, Subscriber[]>();
  /** Answers for one caller each, if the first one is for another caller. They have not started. */
  readonly ofOthers = new Map<string, Answer>();
  hasStarted = false;
  readonly #outcome = Promise.withResolvers<Outcome | null>();

  /** The first answer, once it is computed; null if it failed. */
  get outcome(): Promise<Outcome | null> {
    return this.#outcome.promise;
  }

  settle(outcome: Outcome | null): void {
    this.#outcome.resolve(outcome);
  }

  /** Adds a subscriber. Returns true if its caller is not yet waiting in the limiter. */
  add(subscriber: Subscriber): boolean {
    const others = this.subscribers.get(subscriber.callerKey);
    if (others) others.push(subscriber);
    else this.subscribers.set(subscriber.callerKey, [subscriber]);
    return others === undefined;
  }
}

/** Answers that have not started, by event and shape. */
const pendingAnswers = new WeakMap<object, Map<string, SharedAnswer>>();

/** A caller with a function that tells whether any of its properties was read. */
function watched(caller: Caller): { caller: Caller; isSeen: () => boolean } {
  let isSeen = false;
  const get = (target: Caller, name: keyof Caller) => {
    isSeen = true;
    return target[name];
  };
  return { caller: new Proxy(caller, { get: get as ProxyHandler<Caller>['get'] }), isSeen: () => isSeen };
}

/** Computes an answer, for one caller. */
async function compute(asked: Asked, event: LiveEvent, context: Context): Answer {
  const { schema, document, operationName = null, variables } = asked;
  if (!(await event.concerns(context))) return null;
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
 * Computes the answer of a subscription to an event, or null if the event does not concern the subscriber. Simultaneous requests of the same
 * caller share one computation. If the answer does not depend on the caller, all callers share it. The caller whose turn comes first computes
 * it, so that no caller waits for the turns of others. A request never joins a computation that has started, because the answer could contain
 * data that has been hidden since then.
 */
export async function answerOf(
  asked: Asked,
  event: LiveEvent,
  subscriber: Subscriber,
  contextOf: (caller: Caller) => Context,
): Answer {
  const { currentCaller, isOpen, origin, callerKey } = subscriber;
  const answers = pendingAnswers.get(event.told) ?? new Map<string, SharedAnswer>();
  pendingAnswers.set(event.told, answers);
  const shape = shapeOf(asked, origin);
  const shared = answers.get(shape) ?? new SharedAnswer();
  answers.set(shape, shared);

  let first: Answer | null = null;
  const start = async (): Promise<void> => {
    if (shared.hasStarted) return;
    const reader = isOpen() ? subscriber : shared.subscribers.get(callerKey)?.find((other) => other.isOpen());
    shared.subscribers.delete(callerKey);
    // Another caller may still wait for its turn.
    if (!reader && shared.subscribers.size > 0) return;
    shared.hasStarted = true;
    answers.delete(shape);
    if (!reader) return shared.settle(null);
    const current = reader.currentCaller();
    const { caller, isSeen } = watched(current);
    const answer = compute(asked, event, contextOf(caller));
    if (reader === subscriber) first = answer;
    const result = await answer.catch(() => undefined);
    const isUsable = result !== undefined && !result?.errors;
    shared.settle(isUsable ? { result, caller: callerOf(current), isForAll: !isSeen() } : null);
  };
  if (shared.add(subscriber)) {
    // Waits one tick, because other subscribers request the same answer in this tick.
    void nextTick().then(() => limiter.run(callerKey, asked.cost, start));
  }

  const outcome = await shared.outcome;
  if (first) return first;
  if (!isOpen()) return null;
  const own = callerOf(currentCaller());
  if (outcome && (outcome.isForAll || own === outcome.caller)) return outcome.result;
  const known = shared.ofOthers.get(own);
  if (known) return known;
  const made = limiter.run(callerKey, asked.cost, () => {
    shared.ofOthers.delete(own);
    return compute(asked, event, contextOf(currentCaller()));
  });
  shared.ofOthers.set(own, made);
  return made;
}
