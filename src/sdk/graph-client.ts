import { answerOf } from './answer.js';
import type { CallOptions, ConnectionOptions } from './connection.js';
import { type Known, sentFor, type TypedDocument } from './document.js';
import { GraphError, type Refusal } from './errors.js';
import { called } from './retries.js';
import { eventsOf, type Live, type Resumable, type SubscribeOptions } from './subscription.js';

/** The variables of a document, which may be left out where it needs none, and what is said of the call. */
type Given<Variables, Options> =
  Record<string, never> extends Variables
    ? [variables?: Variables, options?: Options]
    : [variables: Variables, options?: Options];

/** What an operation answered, refused or not. */
export interface Partly<Result> {
  /** Null where nothing was executed; what was refused is null in its place. */
  readonly data: Result | null;
  readonly errors: readonly Refusal[];
}

/** A page of a list with its cursor: a document selects `nodes` and `pageInfo { hasNextPage endCursor }`. */
export interface Page<Item> {
  readonly nodes: readonly Item[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

export interface GraphClient {
  /** What a document answers. Throws a GraphError where anything of it was refused. */
  run<Result, Variables>(
    document: TypedDocument<Result, Variables> & Known<Result>,
    ...given: Given<NoInfer<Variables>, CallOptions>
  ): Promise<Result>;
  /** The same, where one goes on with what was not refused. */
  runPartly<Result, Variables>(
    document: TypedDocument<Result, Variables> & Known<Result>,
    ...given: Given<NoInfer<Variables>, CallOptions>
  ): Promise<Partly<Result>>;
  /** The pages of a list one after the other: of a document that takes `$after`, from where its variables say. */
  pages<Result, Variables extends { after?: string | null | undefined }, Found extends Page<unknown>>(
    document: TypedDocument<Result, Variables> & Known<Result>,
    variables: NoInfer<Variables>,
    pageOf: (data: NoInfer<Result>) => Found | null | undefined,
    options?: CallOptions,
  ): AsyncGenerator<Found, void, undefined>;
  /**
   * The events of a subscription as they come, and after each break those that were missed: of a document that takes `$after` and selects
   * `kind` and `cursor`. Where an event has the kind CHANGES_MISSED, what is shown has to be read anew. It goes on until the signal ends it, or
   * one leaves the loop; it throws what is refused for good.
   */
  subscribe<Result extends Live, Variables extends { after?: string | null | undefined }>(
    document: TypedDocument<Result, Variables> & Known<Result> & Resumable<Variables>,
    ...given: Given<NoInfer<Variables>, SubscribeOptions>
  ): AsyncGenerator<Result, void, undefined>;
}

/** Asks the graph. */
export function graphClient(options: ConnectionOptions): GraphClient {
  const asked = (document: TypedDocument, variables: unknown, call: CallOptions = {}): Promise<unknown> => {
    const { query, writes } = sentFor(document);
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/graphql-response+json, application/json;q=0.9',
    };
    const ask = { path: '/graphql', method: 'POST', headers, body: JSON.stringify({ query, variables }), writes };
    return called(options, ask, call, answerOf);
  };
  const run = ((document: TypedDocument, variables?: unknown, call?: CallOptions) =>
    asked(document, variables, call)) as GraphClient['run'];
  return {
    run,
    runPartly: (async (document: TypedDocument, variables?: unknown, call?: CallOptions) => {
      try {
        return { data: await asked(document, variables, call), errors: [] };
      } catch (error) {
        if (!(error instanceof GraphError)) throw error;
        return { data: error.data, errors: error.errors };
      }
    }) as GraphClient['runPartly'],
    async *pages(document, variables, pageOf, call) {
      for (let after = variables.after; ; ) {
        const data = (await asked(document as TypedDocument, { ...variables, after }, call)) as Parameters<typeof pageOf>[0];
        const page = pageOf(data);
        if (!page) return;
        yield page;
        if (!page.pageInfo.hasNextPage) return;
        after = page.pageInfo.endCursor;
      }
    },
    subscribe: ((document: TypedDocument, variables?: object, more?: SubscribeOptions) =>
      eventsOf(options, document, { ...variables }, { ...more })) as GraphClient['subscribe'],
  };
}
