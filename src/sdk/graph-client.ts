import type { CallOptions, ConnectionOptions } from './connection.js';
import { type OnlyKnownFields, printedDocument, type TypedDocument } from './document.js';
import { type GraphQLError, GraphQLRequestError } from './errors.js';
import { dataOf } from './response.js';
import { callWithRetries } from './retries.js';
import { type ResumableVariables, type SubscribeOptions, type SubscriptionResult, streamSubscription } from './subscription.js';

/** Arguments of a call: the variables, which are optional if no variable is required, and the call options. */
type CallArguments<Variables, Options> =
  Record<string, never> extends Variables
    ? [variables?: Variables, options?: Options]
    : [variables: Variables, options?: Options];

/** Data and errors of an operation. */
export interface PartialResult<Result> {
  /** Data of the operation. Null if the operation was not executed. Fields with errors are null. */
  readonly data: Result | null;
  readonly errors: readonly GraphQLError[];
}

/** A page of a list. Its document selects `nodes` and `pageInfo { hasNextPage endCursor }`. */
export interface Page<Item> {
  readonly nodes: readonly Item[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

export interface GraphQLClient {
  /** Runs a document and returns its data. Throws a GraphQLRequestError if the response has errors. */
  run<Result, Variables>(
    document: TypedDocument<Result, Variables> & OnlyKnownFields<Result>,
    ...callArguments: CallArguments<NoInfer<Variables>, CallOptions>
  ): Promise<Result>;
  /** Runs a document and returns its data and errors. Use it to show partial data. */
  runPartial<Result, Variables>(
    document: TypedDocument<Result, Variables> & OnlyKnownFields<Result>,
    ...callArguments: CallArguments<NoInfer<Variables>, CallOptions>
  ): Promise<PartialResult<Result>>;
  /** Yields the pages of a list in order, starting at the cursor in the variable `after`. The document must declare `$after`. */
  pages<Result, Variables extends { after?: string | null | undefined }, ListPage extends Page<unknown>>(
    document: TypedDocument<Result, Variables> & OnlyKnownFields<Result>,
    variables: NoInfer<Variables>,
    pageOf: (data: NoInfer<Result>) => ListPage | null | undefined,
    options?: CallOptions,
  ): AsyncGenerator<ListPage, void, undefined>;
  /**
   * Yields the events of a subscription. After an interruption, it reconnects and yields the missed events. The document must declare
   * `$after` and select `kind` and `cursor`. After an event of the kind CHANGES_MISSED, the caller must fetch displayed data again. The
   * subscription ends when the signal aborts or the loop exits. Permanent errors are thrown.
   */
  subscribe<Result extends SubscriptionResult, Variables extends { after?: string | null | undefined }>(
    document: TypedDocument<Result, Variables> & OnlyKnownFields<Result> & ResumableVariables<Variables>,
    ...callArguments: CallArguments<NoInfer<Variables>, SubscribeOptions>
  ): AsyncGenerator<Result, void, undefined>;
}

/** Creates a GraphQL client. */
export function createGraphQLClient(options: ConnectionOptions): GraphQLClient {
  const runDocument = (document: TypedDocument, variables: unknown, call: CallOptions = {}): Promise<unknown> => {
    const { query, operation } = printedDocument(document);
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/graphql-response+json, application/json;q=0.9',
    };
    const request = {
      path: '/graphql',
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
      writes: operation !== 'query',
    };
    return callWithRetries(options, request, call, dataOf);
  };
  const run = ((document: TypedDocument, variables?: unknown, call?: CallOptions) =>
    runDocument(document, variables, call)) as GraphQLClient['run'];
  return {
    run,
    runPartial: (async (document: TypedDocument, variables?: unknown, call?: CallOptions) => {
      try {
        return { data: await runDocument(document, variables, call), errors: [] };
      } catch (error) {
        if (!(error instanceof GraphQLRequestError)) throw error;
        return { data: error.data, errors: error.errors };
      }
    }) as GraphQLClient['runPartial'],
    async *pages(document, variables, pageOf, call) {
      for (let after = variables.after; ; ) {
        const data = (await runDocument(document as TypedDocument, { ...variables, after }, call)) as Parameters<
          typeof pageOf
        >[0];
        const page = pageOf(data);
        if (!page) return;
        yield page;
        if (!page.pageInfo.hasNextPage) return;
        after = page.pageInfo.endCursor;
      }
    },
    subscribe: ((document: TypedDocument, variables?: object, subscribeOptions?: SubscribeOptions) =>
      streamSubscription(options, document, { ...variables }, { ...subscribeOptions })) as GraphQLClient['subscribe'],
  };
}
