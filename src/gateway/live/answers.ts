import { setImmediate as nextTick } from 'node:timers/promises';
import { type DocumentNode, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import type { Caller } from '../../kernel/declare/caller.js';
import type { Context } from '../../kernel/declare/context.js';
import type { LiveEvent } from '../../kernel/serve/live-events.js';
import { Turns } from './turns.js';

/** What a subscription asks of each event. */
export interface Asked {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown>;
  /** The cost of one answer. */
  readonly cost: number;
}

/** Who is told of an event. */
export interface Subscriber {
  readonly caller: Caller;
  readonly origin: string;
  /** Whose turn it is to compute the answer: callers take turns. */
  readonly holder: string;
}

const turns = new Turns(8);

const numbers = new WeakMap<DocumentNode, number>();
let documents = 0;

function numberOf(document: DocumentNode): number {
  const number = numbers.get(document) ?? ++documents;
  numbers.set(document, number);
  return number;
}

/** Everything that an answer depends on besides the event and the caller. */
const shapeOf = ({ document, operationName = '', variables }: Asked, origin: string): string =>
  JSON.stringify([numberOf(document), operationName, variables, origin]);

const callerOf = ({ platform, key, user }: Caller): string =>
  JSON.stringify([platform?.id, key?.id, user && [user.id, user.isSuperAdmin, [...user.roles]]]);

type Answer = Promise<ExecutionResult | null>;

/** An answer that is computed for the subscriber who asked first. Those who ask before it begins wait for it. */
interface First {
  readonly caller: string;
  /** Null if it failed. `isForAll`: nothing in it depends on the caller. */
  readonly outcome: Promise<{ readonly result: ExecutionResult | null; readonly isForAll: boolean } | null>;
  readonly ofOthers: Map<string, Answer>;
}

/** Answers that have not begun, by event and shape. */
const coming = new WeakMap<object, Map<string, First>>();

/** Computes an answer. `begin` is called immediately before it reads anything. */
function compute(asked: Asked, event: LiveEvent, holder: string, context: Context, begin: () => void = () => undefined): Answer {
  const { schema, document, operationName = null, variables, cost } = asked;
  return turns.take(holder, cost, async () => {
    begin();
    if (!(await event.concerns(context))) return null;
    return execute({
      schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: context,
      rootValue: event.source,
    });
  });
}

/** A caller, and whether anything of it was read. */
function watched(caller: Caller): { caller: Caller; isSeen: () => boolean } {
  let isSeen = false;
  const get = (target: Caller, name: keyof Caller) => {
    isSeen = true;
    return target[name];
  };
  return { caller: new Proxy(caller, { get: get as ProxyHandler<Caller>['get'] }), isSeen: () => isSeen };
}

/**
 * The answer of a subscription to an event, or null if the event does not concern the subscriber. Subscribers who ask at the same time share
 * the work: all of the same caller, and all callers if nothing in the answer depends on the caller. An answer is read after everybody who
 * gets it has asked for it, so that it shows nothing that was hidden before.
 */
export async function answerOf(
  asked: Asked,
  event: LiveEvent,
  { caller, origin, holder }: Subscriber,
  contextOf: (caller: Caller) => Context,
): Answer {
  const answers = coming.get(event.told) ?? new Map<string, First>();
  coming.set(event.told, answers);
  const shape = shapeOf(asked, origin);
  const own = callerOf(caller);
  const first = answers.get(shape);
  if (!first) {
    const seen = watched(caller);
    // Everybody who is told of the event now asks before the next tick.
    const made = nextTick().then(() => compute(asked, event, holder, contextOf(seen.caller), () => answers.delete(shape)));
    const outcome = made.then(
      (result) => (result?.errors ? null : { result, isForAll: !seen.isSeen() }),
      () => null,
    );
    answers.set(shape, { caller: own, outcome, ofOthers: new Map() });
    return made;
  }
  const outcome = await first.outcome;
  if (outcome && (outcome.isForAll || own === first.caller)) return outcome.result;
  const known = first.ofOthers.get(own);
  if (known) return known;
  const made = compute(asked, event, holder, contextOf(caller), () => first.ofOthers.delete(own));
  first.ofOthers.set(own, made);
  return made;
}
