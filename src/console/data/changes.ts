import type { AnyVariables, OperationResult } from '@urql/core';
import type { LiveEvent, OnlyKnownFields, TypedDocument } from 'courtside-sdk';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Failure, failureOf } from './failure.ts';
import { useSession } from './session.ts';

/** Result of an operation: its data, or the reason why it failed. */
export type Outcome<Data> = { readonly data: Data; readonly failure: null } | { readonly data: null; readonly failure: Failure };

export interface Mutation<Data, Variables> {
  run(variables: Variables): Promise<Outcome<Data>>;
  readonly isRunning: boolean;
  /** Error of the last run. */
  readonly failure: Failure | null;
  /** Forgets the error, for example when a form is opened again. */
  reset(): void;
}

/** Prepares an operation that sends a request when it is run. */
function useOperation<Data, Variables>(
  send: (variables: Variables) => Promise<OperationResult<Data>>,
): Mutation<Data, Variables> {
  const { connection } = useSession();
  const [state, setState] = useState<{ isRunning: boolean; failure: Failure | null }>({ isRunning: false, failure: null });
  // When a lost connection is back, its error is no longer true.
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
      // The sign-in dialog says that the session has ended.
      setState({ isRunning: false, failure: failure?.code === 'UNAUTHENTICATED' ? null : failure });
      return failure ? { data: null, failure } : { data: data as Data, failure: null };
    },
    reset: () => setState({ isRunning: false, failure: null }),
  };
}

/** Prepares a mutation. The cached records in its result are updated everywhere. */
export function useMutation<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables> & OnlyKnownFields<Data>,
): Mutation<Data, Variables> {
  const { client } = useSession();
  return useOperation((variables) => client.mutation<Data, Variables>(document as never, variables).toPromise());
}

/** Prepares a query that runs only on request, such as an export. It always reads from the service. */
export function useQueryOnRequest<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables> & OnlyKnownFields<Data>,
): Mutation<Data, Variables> {
  const { client } = useSession();
  return useOperation((variables) =>
    client.query<Data, Variables>(document as never, variables, { requestPolicy: 'network-only' }).toPromise(),
  );
}

/**
 * Receives the events of a subscription. It starts after the position `after`, which is the `liveCursor` that was queried together with the
 * displayed data, and reconnects by itself. It waits while there is no `after`. The cached records in events are updated everywhere. After
 * an event of the kind CHANGES_MISSED, the displayed data must be read again.
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
  // After a lost connection, the old stream can stay open without data for a while. It is therefore replaced.
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
