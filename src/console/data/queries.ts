import { type AnyVariables, createRequest, type OperationResult, stringifyVariables } from '@urql/core';
import type { OnlyKnownFields, Page, TypedDocument } from 'courtside-sdk';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Failure, failureOf } from './failure.ts';
import { useSession } from './session.ts';

/** Result of a query, and the sequence number of the reload that fetched it. */
interface Loaded<Data> {
  readonly result: OperationResult<Data>;
  readonly version: number;
  /** Time at which the data arrived from the service. Null if the data comes from the cache. */
  readonly readAt: Date | null;
}

interface Results<Data> {
  /** One result for each set of variables, in the same order. Undefined while the result is loading. */
  readonly results: readonly (OperationResult<Data> | undefined)[];
  /** Times at which the results arrived from the service. */
  readonly readTimes: readonly (Date | null)[];
  /** Whether any result is loading or being reloaded. */
  readonly isReading: boolean;
  /** Reads all results again, as soon as no request is pending. The current results stay visible until the new results arrive. */
  reload(): void;
  /** Like `reload`. Calls `onRead` when results that were requested after this call have arrived. */
  reloadAndNotify(onRead: () => void): void;
}

/**
 * Runs a query once for each set of variables, and returns the updated results when the cache changes. `variablesOf` receives a function
 * that returns the current data for a set of variables. The variables of each list page depend on the data of the previous page.
 */
function useResults<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables> & OnlyKnownFields<Data>,
  variablesOf: (currentData: (variables: Variables) => Data | undefined) => readonly Variables[],
): Results<Data> {
  const { client, connection } = useSession();
  const [version, setVersion] = useState(0);
  const [byKey, setByKey] = useState<ReadonlyMap<string, Loaded<Data>>>(new Map());
  const keyOf = (variables: Variables) => stringifyVariables(variables ?? {});
  const isCurrent = (key: string) => byKey.get(key)?.version === version;
  const variables = variablesOf((each) => (isCurrent(keyOf(each)) ? byKey.get(keyOf(each))?.result.data : undefined));
  const keys = variables.map(keyOf);
  useEffect(() => {
    const subscriptions = variables.map((each, index) => {
      const key = keys[index] ?? '';
      const requestPolicy = isCurrent(key) ? 'cache-first' : version === 0 ? 'cache-and-network' : 'network-only';
      return client.query<Data, Variables>(document as never, each, { requestPolicy }).subscribe((result) =>
        setByKey((loaded) => {
          const previous = loaded.get(key);
          // After an error, the previous data stays visible.
          const data = result.data ?? previous?.result.data;
          // A stale result comes from the cache. The result of the service follows.
          return new Map(loaded).set(key, {
            result: { ...result, data },
            version: result.stale ? (previous?.version ?? -1) : version,
            readAt: result.error || result.stale ? (previous?.readAt ?? null) : new Date(),
          });
        }),
      );
    });
    return () => {
      for (const { unsubscribe } of subscriptions) unsubscribe();
    };
  }, [client, document, keys.join('\n'), version]);
  const readAgain = () => setVersion((previous) => previous + 1);
  // Requests that were pending when the connection was lost are aborted.
  useEffect(() => connection.onChange(() => connection.isLost() || readAgain()), [connection]);
  const isReading = !keys.every(isCurrent);
  // A reload waits for a pending request. If each reload aborted it, responses that take longer than the interval would never be shown.
  const [isReloadWaiting, setReloadWaiting] = useState(false);
  const latestVersion = useRef(version);
  latestVersion.current = version;
  // Functions to call when results with at least this version have arrived.
  const readListeners = useRef<{ readonly version: number; readonly onRead: () => void }[]>([]);
  useEffect(() => {
    if (isReading) return;
    const finished = readListeners.current.filter((listener) => listener.version <= version);
    readListeners.current = readListeners.current.filter((listener) => listener.version > version);
    for (const { onRead } of finished) onRead();
  }, [isReading, version]);
  useEffect(() => {
    if (!isReloadWaiting || isReading) return;
    setReloadWaiting(false);
    readAgain();
  }, [isReloadWaiting, isReading]);
  return {
    results: keys.map((key) => byKey.get(key)?.result),
    readTimes: keys.map((key) => byKey.get(key)?.readAt ?? null),
    isReading,
    reload: () => setReloadWaiting(true),
    reloadAndNotify(onRead) {
      readListeners.current.push({ version: latestVersion.current + 1, onRead });
      setReloadWaiting(true);
    },
  };
}

export interface Query<Data> {
  /**
   * Undefined while the data is loading for the first time, and after an error of the whole query. After errors of single fields, only
   * these fields are null.
   */
  readonly data: Data | undefined;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
  /** Time at which the data arrived from the service. Null if the data comes from the cache. */
  readonly readAt: Date | null;
  /** Reads the data again. */
  reload(): void;
}

/** Runs a query, and runs it again when the variables change or a lost connection is restored. Waits while `variables` is null. */
export function useQuery<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables> & OnlyKnownFields<Data>,
  variables: NoInfer<Variables> | null,
): Query<Data> {
  const { results, readTimes, reload } = useResults(document, () => (variables === null ? [] : [variables]));
  const [[result], [readAt = null]] = [results, readTimes];
  const failure = result?.error ? failureOf(result.error) : null;
  return { data: result?.data, failure, isLoading: variables !== null && !result, readAt, reload };
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

/** List that is read page by page. */
export interface PagedList<Item, Data> extends List<Item, Data> {
  /** Reads all loaded pages again. Calls `onRead` when pages that were requested after this call have arrived. */
  reloadAndNotify(onRead: () => void): void;
}

/** Returns the items of a query as a list without further pages. */
export const listOf = <Item, Data>(
  { data, failure, isLoading, reload }: Omit<Query<Data>, 'readAt'>,
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

/** Reads a list page by page. The document takes `$after`, and `pageOf` returns the list in its data. Waits while `variables` is null. */
export function useList<Data, Variables extends { after?: string | null | undefined }, ListPage extends Page<unknown>>(
  document: TypedDocument<Data, Variables> & OnlyKnownFields<Data>,
  variables: NoInfer<Omit<Variables, 'after'>> | null,
  pageOf: (data: NoInfer<Data>) => ListPage | null | undefined,
): PagedList<ListPage['nodes'][number], Data> {
  type Item = ListPage['nodes'][number];
  const { pageCounts } = useSession();
  // Each set of variables has its own list.
  const { key } = createRequest(document as never, variables ?? {});
  const [, setLoadCount] = useState(0);
  const count = pageCounts.get(key) ?? 1;
  const previous = useRef<{ key: number; items: readonly Item[]; hasMore: boolean }>({ key, items: [], hasMore: false });
  if (previous.current.key !== key) previous.current = { key, items: [], hasMore: false };
  const { results, isReading, reload, reloadAndNotify } = useResults(document, (currentData) => {
    if (variables === null) return [];
    const pageAfter = (after: string | null) => ({ ...variables, after }) as Variables;
    const pages = [pageAfter(null)];
    // Each page starts at the current end of the previous page. Otherwise, a change to the list could repeat or omit items between two
    // pages.
    while (pages.length < count) {
      const data = currentData(pages.at(-1) as Variables);
      const { hasNextPage, endCursor } = (data && pageOf(data))?.pageInfo ?? {};
      if (!hasNextPage || endCursor == null) break;
      pages.push(pageAfter(endCursor));
    }
    return pages;
  });
  const pages = results.map((result) => (result?.data ? pageOf(result.data) : undefined));
  const loaded = pages.flatMap((page): readonly Item[] => page?.nodes ?? []);
  const items = isReading ? [...loaded, ...itemsAfter(previous.current.items, loaded.at(-1))] : loaded;
  previous.current.items = items;
  // While pages are being read, it is unknown whether more pages follow.
  if (!isReading) previous.current.hasMore = pages.at(-1)?.pageInfo.hasNextPage ?? false;
  const error = results.find((result) => result?.error)?.error;
  return {
    items,
    data: results[0]?.data,
    failure: error ? failureOf(error) : null,
    isLoading: !results[0],
    isLoadingMore: count > 1 && isReading,
    hasMore: previous.current.hasMore,
    loadMore() {
      pageCounts.set(key, count + 1);
      setLoadCount((previousCount) => previousCount + 1);
    },
    reload,
    reloadAndNotify,
  };
}

const idOf = (item: unknown): unknown => (item !== null && typeof item === 'object' && 'id' in item ? item.id : item);

/** Returns the items that follow the item `last`. They stay visible while later pages are read again. */
function itemsAfter<Item>(items: readonly Item[], last: Item | undefined): readonly Item[] {
  const index = items.findIndex((item) => idOf(item) === idOf(last));
  return index < 0 ? [] : items.slice(index + 1);
}
