import { type AnyVariables, type OperationResult, stringifyVariables } from '@urql/core';
import type { OnlyKnownFields, Page, TypedDocument } from 'courtside-sdk';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Failure, failureOf } from './failure.ts';
import { useSession } from './session.ts';

interface Results<Data> {
  /** Results of the variables, in their order. Undefined while a result is loading. */
  readonly results: readonly (OperationResult<Data> | undefined)[];
  /** Reads all results again. The current results stay visible until then. */
  reload(): void;
}

/** Runs a query with each of the variables, and returns its results again when the cache changes. */
function useResults<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables> & OnlyKnownFields<Data>,
  variables: readonly Variables[],
): Results<Data> {
  const { client, connection } = useSession();
  const [version, setVersion] = useState(0);
  const [byKey, setByKey] = useState<ReadonlyMap<string, OperationResult<Data>>>(new Map());
  const loadedVersions = useRef(new Map<string, number>());
  const keys = variables.map((each) => stringifyVariables(each ?? {}));
  useEffect(() => {
    const subscriptions = variables.map((each, index) => {
      const key = keys[index] ?? '';
      const isLoaded = loadedVersions.current.get(key) === version;
      loadedVersions.current.set(key, version);
      const requestPolicy = isLoaded ? 'cache-first' : version === 0 ? 'cache-and-network' : 'network-only';
      return client.query<Data, Variables>(document as never, each, { requestPolicy }).subscribe((result) =>
        setByKey((previous) => {
          // After an error, the previous data stays visible.
          const data = result.data ?? previous.get(key)?.data;
          return new Map(previous).set(key, { ...result, data });
        }),
      );
    });
    return () => {
      for (const { unsubscribe } of subscriptions) unsubscribe();
    };
  }, [client, document, keys.join('\n'), version]);
  const reload = () => setVersion((previous) => previous + 1);
  useEffect(() => connection.onChange(() => connection.isLost() || reload()), [connection]);
  return { results: keys.map((key) => byKey.get(key)), reload };
}

export interface Query<Data> {
  /** Undefined while it is loading for the first time, and after an error of the whole query. Fields with an error of their own are null. */
  readonly data: Data | undefined;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
  /** Reads the data again. */
  reload(): void;
}

/**
 * Runs a query, and runs it again when the variables change or a lost connection is back. Without variables (null), it waits.
 */
export function useQuery<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables> & OnlyKnownFields<Data>,
  variables: NoInfer<Variables> | null,
): Query<Data> {
  const { results, reload } = useResults(document, variables === null ? [] : [variables]);
  const [result] = results;
  const failure = result?.error ? failureOf(result.error) : null;
  return { data: result?.data, failure, isLoading: variables !== null && !result, reload };
}

export interface List<Item, Data = unknown> {
  /** Items of all loaded pages. */
  readonly items: readonly Item[];
  /** Data of the first page. */
  readonly data: Data | undefined;
  readonly failure: Failure | null;
  /** Whether the first page is loading. */
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMore: boolean;
  loadMore(): void;
  /** Reads all loaded pages again. */
  reload(): void;
}

/** Returns items of a query as a list that is complete. */
export const listOf = <Item, Data>(
  { data, failure, isLoading, reload }: Query<Data>,
  items: readonly Item[],
): List<Item, Data> => ({
  items,
  data,
  failure,
  isLoading,
  isLoadingMore: false,
  hasMore: false,
  loadMore: () => undefined,
  reload,
});

/** Reads a list page by page. The document takes `$after`, and `pageOf` returns its list. Without variables (null), it waits. */
export function useList<Data, Variables extends { after?: string | null | undefined }, ListPage extends Page<unknown>>(
  document: TypedDocument<Data, Variables> & OnlyKnownFields<Data>,
  variables: NoInfer<Omit<Variables, 'after'>> | null,
  pageOf: (data: NoInfer<Data>) => ListPage | null | undefined,
): List<ListPage['nodes'][number], Data> {
  const key = stringifyVariables(variables ?? {});
  const [loaded, setLoaded] = useState<{ key: string; cursors: readonly string[] }>({ key, cursors: [] });
  // Other variables are another list, which starts with its first page.
  const cursors = loaded.key === key ? loaded.cursors : [];
  const { results, reload } = useResults(
    document,
    variables === null ? [] : [null, ...cursors].map((after) => ({ ...variables, after }) as Variables),
  );
  const pages = results.map((result) => (result?.data ? pageOf(result.data) : undefined));
  const { hasNextPage = false, endCursor = null } = pages.at(-1)?.pageInfo ?? {};
  const error = results.find((result) => result?.error)?.error;
  return {
    items: pages.flatMap((page) => page?.nodes ?? []),
    data: results[0]?.data,
    failure: error ? failureOf(error) : null,
    isLoading: !results[0],
    isLoadingMore: results.length > 1 && !results.at(-1),
    hasMore: hasNextPage,
    loadMore: () => endCursor !== null && setLoaded({ key, cursors: [...cursors, endCursor] }),
    reload,
  };
}
