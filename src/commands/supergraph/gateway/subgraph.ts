import { type DocumentNode, type ExecutionResult, GraphQLError, parse } from 'graphql';
import { routerHeader } from '../../../graphql/federation/subgraph-gate.js';
import { consistencyHeader } from '../../../graphql/read-your-writes/index.js';
import { createError } from '../../../kernel/declare/errors.js';
import type { EngineOptions, PlannedRun } from './engine.js';
import { requestedPaths } from './requested-paths.js';

/** Default timeout of a subgraph request, in milliseconds. After the timeout, the requested fields have an error. */
export const requestTimeout = 5_000;

/** Client headers that are forwarded to subgraphs: tokens, trace context, and the headers that publishable keys are checked against. */
export const subgraphHeaders = [
  'pb-api-token',
  'pb-user-token',
  'authorization',
  'origin',
  'x-forwarded-for',
  'traceparent',
  'tracestate',
];

/** Request from an engine to a subgraph. */
export interface SubgraphRequest {
  query: string;
  document?: DocumentNode | undefined;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

/**
 * Sends a request to a subgraph, with the headers of the client, the router secret and a timeout. Returns failures as errors in the result
 * and never rejects.
 */
type SubgraphClient = <Data = Record<string, unknown>>(
  request: SubgraphRequest,
  run: Partial<PlannedRun> | undefined,
) => Promise<ExecutionResult<Data>>;

/** Creates the error for a subgraph that does not respond. */
export const unavailableError = (name: string): GraphQLError =>
  createError('UNAVAILABLE', `${name}: this part of the graph is temporarily unavailable`, { retryAfter: 1 });

/** Returns the headers of a subgraph request. */
export const headersFor = ({ headers = {}, lastWrite }: Partial<PlannedRun>, secret: string): Record<string, string> => ({
  ...Object.fromEntries(subgraphHeaders.flatMap((key) => (headers[key] === undefined ? [] : [[key, String(headers[key])]]))),
  ...(lastWrite?.token ? { [consistencyHeader]: lastWrite.token } : {}),
  [routerHeader]: secret,
});

/** Creates the client with which an engine sends requests to a subgraph. */
export const subgraphClient = (name: string, url: string, { secret, timeout }: EngineOptions): SubgraphClient => {
  return async <Data>({ query, document, variables = {}, operationName }: SubgraphRequest, run: Partial<PlannedRun> = {}) => {
    const { unavailableSubgraphs, lastWrite } = run;
    const fetchResult = async (): Promise<ExecutionResult<Data>> => {
      if (unavailableSubgraphs?.has(name)) return { errors: [unavailableError(name)] };
      try {
        const { token, result } = await post<Data>(url, { query, variables, operationName }, headersFor(run, secret), timeout);
        if (lastWrite && token !== null) lastWrite.token = token;
        return result;
      } catch {
        unavailableSubgraphs?.add(name);
        return { errors: [unavailableError(name)] };
      }
    };
    const result = await fetchResult();
    const { errors } = result;
    if (!errors?.length) return result;
    // An error without a path is reported for every requested field.
    const paths = errors.every(({ path }) => path) ? [] : requestedPaths(document ?? parse(query), operationName, variables);
    return {
      ...result,
      errors: errors.flatMap(({ message, path, extensions }) =>
        (path ? [path] : paths).map((errorPath) => new GraphQLError(message, { path: errorPath, extensions })),
      ),
    };
  };
};

async function post<Data>(
  url: string,
  body: object,
  headers: Record<string, string>,
  timeout: number,
): Promise<{ token: string | null; result: ExecutionResult<Data> }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeout),
  });
  const result: ExecutionResult<Data> = await response.json();
  if (!Array.isArray(result.errors) && !result.data)
    throw new Error(`The subgraph sent an invalid response with status ${response.status}.`);
  return { token: response.headers.get(consistencyHeader), result };
}
