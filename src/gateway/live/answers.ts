import { type DocumentNode, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import type { Caller } from '../../kernel/declare/caller.js';
import type { Context } from '../../kernel/declare/context.js';
import type { LiveEvent } from '../../kernel/serve/live-events.js';
import { Room } from '../room.js';

/** What a subscription asks of each event. */
export interface Asked {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown>;
}

/** So many answers are worked out at once; none waits too long for its turn. */
const turns = new Room(8, 3_600, Number.POSITIVE_INFINITY);

const numbers = new WeakMap<DocumentNode, number>();
let documents = 0;

function numberOf(document: DocumentNode): number {
  const number = numbers.get(document) ?? ++documents;
  numbers.set(document, number);
  return number;
}

/** All that an answer depends on beside the event and who asks. */
const shapeOf = ({ document, operationName = '', variables }: Asked, origin: string): string =>
  JSON.stringify([numberOf(document), operationName, variables, origin]);

const callerOf = ({ platform, key, user }: Caller): string =>
  JSON.stringify([platform?.id, key?.id, user && [user.id, user.isSuperAdmin, [...user.roles]]]);

type Answer = Promise<ExecutionResult | null>;

/** An answer that was worked out for the first who asked; the others wait for it. */
interface First {
  readonly caller: string;
  /** Null where it failed; for all where nobody looked at who asks. */
  readonly outcome: Promise<{ readonly result: ExecutionResult | null; readonly isForAll: boolean } | null>;
  readonly ofOthers: Map<string, Answer>;
}

/** Answers to an event that others have asked for, too: as long as somebody is told of it. */
const shared = new WeakMap<object, Map<string, First>>();

async function answer(asked: Asked, event: LiveEvent, context: Context): Answer {
  if (!turns.enter()) await turns.wait();
  try {
    if (!(await event.concerns(context))) return null;
    const { schema, document, operationName = null, variables } = asked;
    return await execute({
      schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: context,
      rootValue: event.source,
    });
  } finally {
    turns.leave();
  }
}

/** A caller, and whether anything of them was looked at. */
function watched(caller: Caller): { caller: Caller; isSeen: () => boolean } {
  let isSeen = false;
  const get = (target: Caller, name: keyof Caller) => {
    isSeen = true;
    return target[name];
  };
  return { caller: new Proxy(caller, { get: get as ProxyHandler<Caller>['get'] }), isSeen: () => isSeen };
}

/**
 * What a subscriber is told of an event, null where it does not concern them; worked out once for all who ask the same of it as the same
 * caller, and for everybody where nothing was asked of who asks.
 */
export async function answerOf(
  asked: Asked,
  event: LiveEvent,
  { caller, origin }: { caller: Caller; origin: string },
  contextOf: (caller: Caller) => Context,
): Answer {
  const answers = shared.get(event.told) ?? new Map<string, First>();
  shared.set(event.told, answers);
  const shape = shapeOf(asked, origin);
  const first = answers.get(shape);
  const own = callerOf(caller);
  if (!first) {
    const seen = watched(caller);
    const made = answer(asked, event, contextOf(seen.caller));
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
  const made = answer(asked, event, contextOf(caller));
  first.ofOthers.set(own, made);
  // What failed may be tried again.
  const forget = () => first.ofOthers.delete(own);
  made.then((result) => result?.errors && forget(), forget);
  return made;
}
