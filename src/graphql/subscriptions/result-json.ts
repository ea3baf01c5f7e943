import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';

const texts = new WeakMap<ExecutionResult, string>();
const events = new WeakMap<ExecutionResult, Buffer>();

/** Removes the HTTP properties of an error, because events have no status. */
function withoutHttp(error: GraphQLError): GraphQLFormattedError {
  const { extensions: { http: _, ...extensions } = {}, ...fields } = error.toJSON();
  return { ...fields, extensions };
}

/** Serializes a result. The text is cached, because many subscribers share a result. */
export function resultJson(result: ExecutionResult): string {
  const cached = texts.get(result);
  if (cached !== undefined) return cached;
  const text = JSON.stringify(result.errors ? { ...result, errors: result.errors.map(withoutHttp) } : result);
  texts.set(result, text);
  return text;
}

/** Serializes a result as a server-sent event. The buffer is cached and shared by all subscribers. */
export function eventBytes(result: ExecutionResult): Buffer {
  const cached = events.get(result);
  if (cached) return cached;
  const event = Buffer.from(`event: next\ndata: ${resultJson(result)}\n\n`);
  events.set(result, event);
  return event;
}
