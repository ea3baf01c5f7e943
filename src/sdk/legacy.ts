import type { CallOptions, ConnectionOptions, TextResponse } from './connection.js';
import { LegacyError } from './errors.js';
import { callWithRetries, retryAfterSeconds } from './retries.js';

export type { CallOptions, ConnectionOptions, Credentials, Token } from './connection.js';
export { LegacyError, NetworkError, ServiceError } from './errors.js';

/** Request format of a `/v1` operation. */
export interface OperationFormat {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly headers: readonly string[];
  /** Whether the operation changes data. */
  readonly writes: boolean;
}

/** Parameter values of a call, keyed by name, and its `body`. */
type Values = Readonly<Record<string, unknown>>;

const hasValue = (value: unknown): boolean => value !== undefined && value !== null;

/** Builds the URL path, including the parameter values and the query string. */
function urlPathOf({ path, query }: OperationFormat, values: Values): string {
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!hasValue(values[name]) || values[name] === '') throw new TypeError(`${name}: expected a value for the path ${path}`);
    return encodeURIComponent(String(values[name]));
  });
  const search = new URLSearchParams(
    query.filter((name) => hasValue(values[name])).map((name): [string, string] => [name, String(values[name])]),
  );
  return search.size ? `${filledPath}?${search}` : filledPath;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Status of an update that changes nothing. Other responses have it only if a request sends `If-None-Match`, which the client does not. */
const notModified = 304;

/** Returns the parsed body of a response, or null if the body is empty. Throws a LegacyError for error responses. */
function readBody(response: TextResponse): unknown {
  const { status, headers, text } = response;
  const body = text === '' ? null : parseJson(text);
  if ((status < 300 || status === notModified) && body !== undefined) return body;
  const { Message, RequestId } = (body ?? {}) as { Message?: unknown; RequestId?: unknown };
  throw new LegacyError(typeof Message === 'string' ? Message : `the response has status ${status}`, {
    status,
    requestId: RequestId === undefined ? undefined : String(RequestId),
    retryAfter: retryAfterSeconds(headers),
  });
}

/** Creates a client with a method for each operation. */
export function createLegacyClient<Client>(
  operations: Readonly<Record<string, OperationFormat>>,
  options: ConnectionOptions,
): Client {
  const methods = Object.entries(operations).map(([name, operation]) => {
    const { method, writes } = operation;
    const run = async (values: Values = {}, call: CallOptions = {}): Promise<unknown> => {
      const headers = Object.fromEntries(
        operation.headers.filter((name) => hasValue(values[name])).map((name) => [name, String(values[name])]),
      );
      const body = method === 'GET' ? undefined : JSON.stringify(values.body ?? {});
      const request = {
        path: urlPathOf(operation, values),
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        body,
        writes,
      };
      // Some GET requests change data, such as those for links in emails. They are idempotent, so they need no key. The client does not
      // retry them, because it retries writes only with a key.
      return callWithRetries(options, request, method === 'GET' ? { ...call, idempotencyKey: null } : call, readBody);
    };
    return [name, run] as const;
  });
  return Object.fromEntries(methods) as Client;
}
