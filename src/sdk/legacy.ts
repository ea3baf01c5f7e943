import type { CallOptions, ConnectionOptions, TextResponse } from './connection.js';
import { LegacyError } from './errors.js';
import { callWithRetries, retryAfterSeconds } from './retries.js';

export type { CallOptions, ConnectionOptions, Credentials, Token } from './connection.js';
export { LegacyError, NetworkError, ServiceError } from './errors.js';

/** Request format of an operation. */
export interface OperationFormat {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly headers: readonly string[];
  /** Whether the operation changes something. */
  readonly writes: boolean;
}

/** Parameter values of a call by name, and its body. */
type Values = Readonly<Record<string, unknown>>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Path with parameter values and query. */
function addressOf({ path, query }: OperationFormat, values: Values): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!isGiven(values[name]) || values[name] === '') throw new TypeError(`${name}: expected a value for the path ${path}`);
    return encodeURIComponent(String(values[name]));
  });
  const search = new URLSearchParams(
    query.filter((name) => isGiven(values[name])).map((name): [string, string] => [name, String(values[name])]),
  );
  return search.size ? `${filled}?${search}` : filled;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Body of a response, or null without one. Throws a LegacyError for errors. */
function readBody(response: TextResponse): unknown {
  const { status, headers, text } = response;
  const body = text === '' ? null : parseJson(text);
  if (status < 300 && body !== undefined) return body;
  const { Message, RequestId } = (body ?? {}) as { Message?: unknown; RequestId?: unknown };
  throw new LegacyError(typeof Message === 'string' ? Message : `the response has the status ${status}`, {
    status,
    requestId: RequestId === undefined ? undefined : String(RequestId),
    retryAfter: retryAfterSeconds(headers),
  });
}

/** Creates a method for each operation of a table. */
export function createLegacyClient<Client>(
  operations: Readonly<Record<string, OperationFormat>>,
  options: ConnectionOptions,
): Client {
  const methods = Object.entries(operations).map(([name, operation]) => {
    const { method, writes } = operation;
    const run = async (values: Values = {}, call: CallOptions = {}): Promise<unknown> => {
      const headers = Object.fromEntries(
        operation.headers.filter((name) => isGiven(values[name])).map((name) => [name, String(values[name])]),
      );
      const body = method === 'GET' ? undefined : JSON.stringify(values.body ?? {});
      const request = {
        path: addressOf(operation, values),
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        body,
        writes,
      };
      // A GET request that changes something, such as a mail link, is idempotent and takes no key.
      return callWithRetries(options, request, method === 'GET' ? { ...call, idempotencyKey: null } : call, readBody);
    };
    return [name, run] as const;
  });
  return Object.fromEntries(methods) as Client;
}
