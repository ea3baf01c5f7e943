import { type DocumentNode, type ExecutionResult, GraphQLError, parse } from 'graphql';
import { consistencyHeader } from '../../gateway/read-your-writes/index.js';
import { routerHeader } from '../../gateway/subgraph-gate.js';
import { problem } from '../../kernel/declare/errors.js';
import type { Opening, PlannedRun } from './engine.js';
import { answerPlaces } from './places.js';

/** How long a subgraph may take for its part of an answer, in milliseconds; the rest of the answer does not wait longer for it. */
export const requestTimeout = 5_000;

/** Headers of callers that reach the subgraphs unchanged: tokens, and what publishable keys are judged and counted by. */
export const passed = [
  'pb-api-token',
  'pb-user-token',
  'authorization',
  'origin',
  'x-forwarded-for',
  'traceparent',
  'tracestate',
];

/** What an engine wants to know of a subgraph. */
export interface SubgraphRequest {
  query: string;
  document?: DocumentNode | undefined;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

/** A subgraph as all engines ask it: with the headers of the caller, with the secret, and not for longer than the request time-out. */
export type Ask = <Data = Record<string, unknown>>(
  request: SubgraphRequest,
  run: Partial<PlannedRun> | undefined,
) => Promise<ExecutionResult<Data>>;

/** What is told of a subgraph that does not answer. */
export const absent = (name: string): GraphQLError =>
  problem('UNAVAILABLE', `${name}: this part of the graph does not answer for now`, { retryAfter: 1 });

/** Headers of a request to a subgraph. */
export const headersFor = ({ headers = {}, written }: Partial<PlannedRun>, secret: string): Record<string, string> => ({
  ...Object.fromEntries(passed.flatMap((key) => (headers[key] === undefined ? [] : [[key, String(headers[key])]]))),
  ...(written?.token ? { [consistencyHeader]: written.token } : {}),
  [routerHeader]: secret,
});

export const subgraphAt = (name: string, url: string, { secret, timeout }: Opening): Ask => {
  return async <Data>({ query, document, variables = {}, operationName }: SubgraphRequest, run: Partial<PlannedRun> = {}) => {
    const { silent, written } = run;
    const answer = async (): Promise<ExecutionResult<Data>> => {
      if (silent?.has(name)) return { errors: [absent(name)] };
      try {
        const { token, result } = await post<Data>(url, { query, variables, operationName }, headersFor(run, secret), timeout);
        if (written && token !== null) written.token = token;
        return result;
      } catch {
        silent?.add(name);
        return { errors: [absent(name)] };
      }
    };
    const result = await answer();
    const { errors } = result;
    if (!errors?.length) return result;
    // What says nothing of where it happened concerns all that was asked.
    const places = errors.every(({ path }) => path) ? [] : answerPlaces(document ?? parse(query), operationName, variables);
    return {
      ...result,
      errors: errors.flatMap(({ message, path, extensions }) =>
        (path ? [path] : places).map((place) => new GraphQLError(message, { path: place, extensions })),
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
  if (!Array.isArray(result.errors) && !result.data) throw new Error(`no answer of a subgraph, status ${response.status}`);
  return { token: response.headers.get(consistencyHeader), result };
}
