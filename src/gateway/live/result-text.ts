import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';

const texts = new WeakMap<ExecutionResult, string>();
const events = new WeakMap<ExecutionResult, Buffer>();

/** What the status of an answer would be made of is nobody's business in an event. */
function leaving(error: GraphQLError): GraphQLFormattedError {
  const { extensions: { http: _, ...extensions } = {}, ...told } = error.toJSON();
  return { ...told, extensions };
}

/** An answer as JSON: made once, however many are told of it. */
export function textOf(result: ExecutionResult): string {
  const known = texts.get(result);
  if (known !== undefined) return known;
  const text = JSON.stringify(result.errors ? { ...result, errors: result.errors.map(leaving) } : result);
  texts.set(result, text);
  return text;
}

/** An answer as a server-sent event, in the one buffer that all are told from. */
export function eventBytes(result: ExecutionResult): Buffer {
  const known = events.get(result);
  if (known) return known;
  const event = Buffer.from(`event: next\ndata: ${textOf(result)}\n\n`);
  events.set(result, event);
  return event;
}
