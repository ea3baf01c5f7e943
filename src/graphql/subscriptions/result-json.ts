import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';

const jsonByResult = new WeakMap<ExecutionResult, string>();
const eventByResult = new WeakMap<ExecutionResult, Buffer>();

/** Serializes an error without its HTTP properties, because events have no HTTP status. */
export function serializeError(error: GraphQLError): GraphQLFormattedError {
  const { extensions: { http: _, ...extensions } = {}, ...otherProperties } = error.toJSON();
  return { ...otherProperties, extensions };
}

/** Serializes a result as JSON. The text is cached, because many subscribers share a result. */
export function resultJson(result: ExecutionResult): string {
  const cached = jsonByResult.get(result);
  if (cached !== undefined) return cached;
  const text = JSON.stringify(result.errors ? { ...result, errors: result.errors.map(serializeError) } : result);
  jsonByResult.set(result, text);
  return text;
}

/** Serializes a result as a server-sent event. The buffer is cached and shared by all subscribers. */
export function eventBytes(result: ExecutionResult): Buffer {
  const cached = eventByResult.get(result);
  if (cached) return cached;
  const event = Buffer.from(`event: next\ndata: ${resultJson(result)}\n\n`);
  eventByResult.set(result, event);
  return event;
}
