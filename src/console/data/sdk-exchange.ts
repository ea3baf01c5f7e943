import { type AnyVariables, type Exchange, makeErrorResult, makeResult, type Operation, type OperationResult } from '@urql/core';
import { type GraphQLClient, GraphQLRequestError, NetworkError, type TypedDocument } from 'courtside-sdk';
import { filter, make, mergeMap, pipe, takeUntil } from 'wonka';
import type { Connection } from './connection.ts';

/** Document of any type. TypeScript has checked the type where the operation is created. */
// biome-ignore lint/suspicious/noExplicitAny: the exchange handles all documents
type AnyDocument = TypedDocument<any, any>;

/**
 * Runs the operations of urql with the SDK, which adds the tokens, retries after temporary errors without executing a mutation twice, and
 * reconnects subscriptions. The SDK's error is the `networkError` of the result. `onStart` is called before each operation, and returns a
 * function that is called if the token is no longer valid.
 */
export const sdkExchange =
  (graph: GraphQLClient, connection: Connection, onStart: () => () => void): Exchange =>
  () =>
  (operations) =>
    pipe(
      operations,
      filter(({ kind }) => kind !== 'teardown'),
      mergeMap((operation) => {
        const teardowns = pipe(
          operations,
          filter(({ kind, key }) => kind === 'teardown' && key === operation.key),
        );
        return pipe(resultsOf(graph, connection, operation, onStart()), takeUntil(teardowns));
      }),
    );

const resultsOf = (graph: GraphQLClient, connection: Connection, operation: Operation, onUnauthenticated: () => void) =>
  make<OperationResult>(({ next, complete }) => {
    const controller = new AbortController();
    const { signal } = controller;
    const send = async () => {
      try {
        for await (const data of dataOf(graph, connection, operation, signal))
          next(makeResult(operation, { data, hasNext: operation.kind === 'subscription' }));
      } catch (error) {
        if (signal.aborted) return;
        const isUnauthenticated = error instanceof GraphQLRequestError && error.code === 'UNAUTHENTICATED';
        if (isUnauthenticated) onUnauthenticated();
        const result = makeErrorResult(operation, error instanceof Error ? error : new Error(String(error)));
        // Fields with errors are null. The other fields of a query are shown together with the error. After the session has expired, cached
        // records stay as they are.
        const hasData = error instanceof GraphQLRequestError && !isUnauthenticated && operation.kind === 'query';
        const data = hasData ? error.data : null;
        next(data ? { ...result, data } : result);
      }
      complete();
    };
    void send();
    return () => controller.abort();
  });

/** Yields the data of an operation: once for a query or mutation, and for each event of a subscription. */
async function* dataOf(
  graph: GraphQLClient,
  connection: Connection,
  { kind, query, variables }: Operation<unknown, AnyVariables>,
  signal: AbortSignal,
): AsyncGenerator<Record<string, unknown>> {
  const document = query as unknown as AnyDocument;
  if (kind === 'subscription') yield* graph.subscribe(document, variables, { signal });
  else if (kind === 'mutation') yield await runMutation(graph, connection, document, variables, signal);
  else yield await graph.run(document, variables, { signal });
}

/** Maximum number of attempts per operation. The SDK also retries within each attempt. */
export const maxAttempts = 5;

/** Whether the service may have executed a mutation whose response did not arrive. Proxies respond with 502 or 504. */
const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof NetworkError ||
  (error instanceof GraphQLRequestError && (error.code === 'STILL_RUNNING' || [502, 504].includes(error.status)));

/**
 * Runs a mutation. If the connection is lost before the response arrives, repeats the mutation with the same idempotency key after the
 * connection is restored. The service executes it only once. If the service cannot be reached at the start, sends nothing.
 */
async function runMutation(
  graph: GraphQLClient,
  connection: Connection,
  document: AnyDocument,
  variables: AnyVariables,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (!(await connection.isAvailable())) throw new NetworkError('NETWORK', 'the connection is lost');
  const idempotencyKey = crypto.getRandomValues(new Uint32Array(4)).join('-');
  for (let run = 1; ; run += 1) {
    try {
      return await graph.run(document, variables, { signal, idempotencyKey });
    } catch (error) {
      if (run === maxAttempts || !isOutcomeUnknown(error)) throw error;
      await connection.restored();
    }
  }
}
