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

/** All that an answer depends on beside the event. */
const shapeOf = ({ document, operationName = '', variables }: Asked, { platform, key, user }: Caller, origin: string): string =>
  JSON.stringify([
    numberOf(document),
    operationName,
    variables,
    platform?.id,
    key?.id,
    user && [user.id, user.isSuperAdmin, [...user.roles]],
    origin,
  ]);

/** Answers to an event that others have asked for, too: as long as somebody is told of it. */
const shared = new WeakMap<object, Map<string, Promise<ExecutionResult | null>>>();

async function answer(asked: Asked, event: LiveEvent, context: Context): Promise<ExecutionResult | null> {
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

/** What a subscriber is told of an event, null where it does not concern them; worked out once for all who ask the same of it as the same caller. */
export function answerOf(asked: Asked, event: LiveEvent, context: Context): Promise<ExecutionResult | null> {
  const answers = shared.get(event.told) ?? new Map<string, Promise<ExecutionResult | null>>();
  shared.set(event.told, answers);
  const shape = shapeOf(asked, context.caller, context.client.origin ?? '');
  const known = answers.get(shape);
  if (known) return known;
  const made = answer(asked, event, context);
  answers.set(shape, made);
  // What failed may be tried again.
  made.then(
    (result) => result?.errors && answers.delete(shape),
    () => answers.delete(shape),
  );
  return made;
}
