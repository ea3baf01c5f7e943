import { GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Caller } from '../kernel/declare/caller.js';
import type { Context } from '../kernel/declare/context.js';
import { statuses } from '../kernel/declare/errors.js';
import { complexityLimit } from './complexity.js';
import { contextOf, type Resources } from './context.js';
import { execute } from './execute.js';
import { limits } from './limits.js';
import { type Mask, masking } from './mask.js';
import { once } from './tell-once.js';

export interface GraphQLOptions {
  schema: GraphQLSchema;
  resources: Resources;
  log: Logger;
  identify(header: (name: string) => string | undefined): Promise<Caller>;
  /** What browsers get that open the endpoint. */
  page: string;
}

/** Runs operations compiled, with the context of the request. */
const compiled: Plugin<Context> = {
  onExecute({ args, setExecuteFn }) {
    setExecuteFn(() =>
      execute(
        args.schema,
        args.document,
        args.operationName ?? undefined,
        args.variableValues ?? {},
        args.contextValue as Context,
      ),
    );
  },
};

/** Errors of validation leave as all others do. */
const validated = (mask: Mask): Plugin<Context> => ({
  onValidate:
    () =>
    ({ valid, result, setResult }) => {
      if (!valid) setResult(once(result.map(mask)));
    },
});

/** Whether anything of what was asked for is in the answer. */
const isAnswered = (data: unknown): boolean => Object.values(data ?? {}).some((value) => value !== null);

/**
 * A request that is no valid GraphQL answers 400, also in `application/json` where the specification would have 200, unless the client
 * asked for that type by name. An answer that holds a part of what was asked for is a 200, whatever became of the rest: clients throw
 * the data of other answers away.
 */
const strict: Plugin<Context> = {
  onResultProcess({ request, result }) {
    const asksForJson = request.headers.get('accept')?.includes('application/json');
    const answered = 'data' in result && isAnswered(result.data);
    for (const { extensions } of 'errors' in result ? (result.errors ?? []) : []) {
      const http = extensions.http as { spec?: boolean } | undefined;
      if (answered) delete extensions.http;
      else if (http && !asksForJson) delete http.spec;
    }
  },
};

/** A refused token or password answers with its HTTP status; other errors of a well-formed request are part of a 200, as GraphQL has it. */
const status = (error: GraphQLError): GraphQLError => {
  const code = error.extensions.code as keyof typeof statuses;
  if (
    !['BAD_INPUT', 'UNAUTHENTICATED', 'INVALID_CREDENTIALS', 'FORBIDDEN', 'TOO_LARGE', 'RATE_LIMITED', 'UNAVAILABLE'].includes(
      code,
    ) ||
    !(code in statuses)
  )
    return error;
  const headers =
    typeof error.extensions.retryAfter === 'number' ? { 'retry-after': String(error.extensions.retryAfter) } : undefined;
  return new GraphQLError(error.message, {
    ...(error.nodes ? { nodes: error.nodes } : { source: error.source, positions: error.positions }),
    ...(error.path ? { path: error.path } : {}),
    extensions: { ...error.extensions, http: { status: statuses[code], ...(headers ? { headers } : {}) } },
  });
};

/** `/graphql`: the whole graph, with a page for browsers. */
export function createGraphQL(options: GraphQLOptions): YogaServerInstance<{ req: { ip?: string } }, Context> {
  const { schema, resources, log, identify, page } = options;
  const mask = masking(schema, log);
  return createYoga<{ req: { ip?: string } }, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    logging: false,
    batching: false,
    // The host has answered for it: Yoga's own would let every page read, with cookies.
    cors: false,
    maskedErrors: { maskError: (error) => status(mask(error)) },
    parserAndValidationCache: true,
    graphiql: true,
    renderGraphiQL: () => page,
    context: async ({ request, req }) => {
      const header = (name: string) => request.headers.get(name) ?? undefined;
      const caller = await identify(header);
      // The first statement of a mutation moves the request to the primary; a guard on Mutation fields does so.
      return { ...contextOf(resources, caller, 'read', { address: req?.ip ?? '', header }) };
    },
    plugins: [...limits, validated(mask), complexityLimit, compiled, strict] as Plugin[],
  }) as YogaServerInstance<{ req: { ip?: string } }, Context>;
}
