import type { AnyVariables, OperationResult } from '@urql/core';
import { type LiveEvent, NetworkError, type OnlyKnownFields, type TypedDocument } from 'courtside-sdk';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useIsConnectionLost } from './connection.ts';
import { type Failure, failureOf } from './failure.ts';
import { maxAttempts } from './sdk-exchange.ts';
import { useSession } from './session.ts';

/** Result of an operation: its data, or the reason why it failed. */
export type Outcome<Data> = { readonly data: Data; readonly failure: null } | { readonly data: null; readonly failure: Failure };

export interface Mutation<Data, Variables> {
  run(variables: Variables): Promise<Outcome<Data>>;
  readonly isRunning: boolean;
  /** Error of the last run, or a message that the current run is waiting for the connection. */
  readonly failure: Failure | null;
  /** Clears the error, for example when a form is opened again. */
  reset(): void;
}

/** Prepares an operation that sends a request when it is run. */
function useOperation<Data, Variables>(
  send: (variables: Variables) => Promise<OperationResult<Data>>,
): Mutation<Data, Variables> {
  const { connection } = useSession();
  const [state, setState] = useState<{ isRunning: boolean; failure: Failure | null }>({ isRunning: false, failure: null });
  // Clears an error about the connection when the connection is restored.
  useEffect(
    () =>
      connection.onChange(
        () => connection.isLost() || setState((last) => (last.failure?.code === null ? { ...last, failure: null } : last)),
      ),
    [connection],
  );
  return {
    ...state,
    async run(variables) {
      setState({ isRunning: true, failure: null });
      const { data, error } = await send(variables);
      const failure = error ? failureOf(error) : null;
      // If the session has ended, the sign-in dialog already says so.
      setState({ isRunning: false, failure: failure?.code === 'UNAUTHENTICATED' ? null : failure });
      return failure ? { data: null, failure } : { data: data as Data, failure: null };
    },
    reset: () => setState({ isRunning: false, failure: null }),
  };
}

/** Error while an operation waits for the connection. */
const waiting: Failure = {
  message: 'Waiting for the connection. The result of the action is shown when the connection is restored.',
  code: null,
  problems: [],
};

/**
 * Prepares a mutation. The records in its result update the cache and all components that show them. If the connection is lost during the
 * mutation, the mutation waits until the connection is restored.
 */
export function useMutation<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables> & OnlyKnownFields<Data>,
): Mutation<Data, Variables> {
  const { client, connection } = useSession();
  const isLost = useIsConnectionLost(connection);
  const mutation = useOperation((variables: Variables) =>
    client.mutation<Data, Variables>(document as never, variables).toPromise(),
  );
  return mutation.isRunning && isLost ? { ...mutation, failure: waiting } : mutation;
}

/**
 * Prepares a query that runs only on request, such as an export, or the check before an undo. It always reads from the service. If the
 * connection is lost during the query, the query waits until the connection is restored.
 */
export function useQueryOnRequest<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables> & OnlyKnownFields<Data>,
): Mutation<Data, Variables> {
  const { client, connection } = useSession();
  const isLost = useIsConnectionLost(connection);
  const query = useOperation(async (variables: Variables) => {
    for (let run = 1; ; run += 1) {
      const result = await client
        .query<Data, Variables>(document as never, variables, { requestPolicy: 'network-only' })
        .toPromise();
      if (run === maxAttempts || !(result.error?.networkError instanceof NetworkError)) return result;
      await connection.restored();
    }
  });
  return query.isRunning && isLost ? { ...query, failure: waiting } : query;
}

/**
 * Receives the events of a subscription. The subscription starts after the position `after`: the `liveCursor` that was queried together
 * with the displayed data. It waits while `after` is null or undefined, and reconnects automatically. The records in events update the
 * cache. After an event of the kind CHANGES_MISSED, the caller must read the displayed data again.
 */
export function useSubscription<
  Result extends Readonly<Record<string, LiveEvent | null>>,
  Variables extends { after?: string | null | undefined },
>(
  document: TypedDocument<Result, Variables> & OnlyKnownFields<Result>,
  variables: NoInfer<Omit<Variables, 'after'>>,
  after: string | null | undefined,
  onEvent: (event: NonNullable<Result[keyof Result]>) => void,
): Failure | null {
  const { client, connection } = useSession();
  // Replaces the stream after a lost connection, because the old stream can stay open for a while without receiving data.
  const [reconnects, setReconnects] = useState(0);
  useEffect(() => connection.onChange(() => connection.isLost() || setReconnects((count) => count + 1)), [connection]);
  const cursor = useRef<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const latestOnEvent = useRef(onEvent);
  latestOnEvent.current = onEvent;
  useEffect(() => {
    if (after == null) return;
    setFailure(null);
    const subscription = client
      .subscription<Result, Variables>(document as never, { ...variables, after: cursor.current ?? after } as Variables)
      .subscribe(({ data, error }) => {
        if (error) setFailure(failureOf(error));
        const [event] = Object.values(data ?? {});
        if (!event) return;
        cursor.current = event.cursor;
        latestOnEvent.current(event as NonNullable<Result[keyof Result]>);
      });
    return () => subscription.unsubscribe();
    // Later values of `after` do not restart the subscription, which continues from its own position.
  }, [client, document, JSON.stringify(variables), after == null, reconnects]);
  return failure;
}
