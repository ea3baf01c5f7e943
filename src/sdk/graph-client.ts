import { type Code, type Details, statuses } from '../kernel/declare/codes.js';
import type { CallOptions, ConnectionOptions, Heard } from './connection.js';
import { type Known, sentFor, type TypedDocument } from './document.js';
import { GraphError, type Refusal, type Said } from './errors.js';
import { called, secondsOf } from './retries.js';

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
}

interface Body {
  data?: unknown;
  errors?: readonly { message: string; path?: (string | number)[]; extensions?: Details & { code?: string } }[];
}

const isCode = (code: string | undefined): code is Code => code !== undefined && Object.hasOwn(statuses, code);

/** The code under a status that came without one: from what stands in front of the service. */
const codeUnder = (status: number): Code =>
  status === 429 ? 'RATE_LIMITED' : [502, 503, 504].includes(status) ? 'UNAVAILABLE' : 'INTERNAL';

const saidBy = ({ status, headers }: Heard): Said => ({
  status,
  requestId: headers.get('X-Request-Id') ?? undefined,
  retryAfter: secondsOf(headers),
});

function bodyOf(heard: Heard): Body {
  try {
    const body: unknown = JSON.parse(heard.text);
    if (typeof body === 'object' && body !== null && ('data' in body || 'errors' in body)) return body as Body;
  } catch {}
  const message = `the answer, with the status ${heard.status}, is none of the graph`;
  throw new GraphError([{ code: codeUnder(heard.status), message }], null, saidBy(heard));
}

const refusalOf = ({ message, path, extensions: { code, ...details } = {} }: NonNullable<Body['errors']>[number]): Refusal => ({
  ...details,
  code: isCode(code) ? code : 'INTERNAL',
  message,
  ...(path ? { path } : {}),
});

function errorOf(heard: Heard): { data: unknown; error: GraphError | null } {
  const { data = null, errors = [] } = bodyOf(heard);
  const [first, ...others] = errors.map(refusalOf);
  return { data, error: first ? new GraphError([first, ...others], data, saidBy(heard)) : null };
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
    return called(options, ask, call, (heard) => {
      const { data, error } = errorOf(heard);
      if (error) throw error;
      return data;
    });
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
  };
}
