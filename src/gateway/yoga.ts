import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DocumentNode, GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Caller } from '../kernel/declare/caller.js';
import type { Client, Context } from '../kernel/declare/context.js';
import { isCode, statuses } from '../kernel/declare/errors.js';
import { type Metering, metering } from '../kernel/metering.js';
import { clientOf, type Trust } from './client.js';
import { complexityLimit, tooCostly } from './complexity.js';
import { contextOf, type Resources, unknownClient } from './context.js';
import { parsedDocuments } from './documents/parsed.js';
import { documentId, persisted } from './documents/persisted.js';
import type { TrustedDocuments } from './documents/trusted.js';
import { inRequest } from './error-requests.js';
import { execute } from './execute.js';
import { forNamedCallers } from './introspection.js';
import { limits } from './limits.js';
import { placed } from './live/place.js';
import type { Streams } from './live/streams.js';
import { subscribeTo } from './live/subscribe.js';
import { eventsTaken, type OverSocket, outletOf, toldLive } from './live/transport.js';
import { type Mask, masking } from './mask.js';
import { consistencyHeader } from './read-your-writes/index.js';
import { tellsWrites } from './read-your-writes/plugins.js';
import type { FirstAnswers } from './retries/first-answers.js';
import { replay } from './retries/replay.js';
import type { Room } from './room.js';
import { once } from './tell-once.js';

export interface GraphQLOptions {
  schema: GraphQLSchema;
  resources: Resources;
  log: Logger;
  identify(header: (name: string) => string | undefined): Promise<Caller>;
  /** What mutations that are sent again are answered with. */
  answers: FirstAnswers;
  /** Documents that may be sent by their ids; null without a manifest. */
  trusted: TrustedDocuments | null;
  /** Whether callers without a token or key may ask what the schema is. */
  isSchemaOpen: boolean;
  trust: Trust;
  /** The subscriptions that are open. */
  streams: Streams;
}

/** What the host hands over beside the request. */
interface OfNode {
  readonly req?: IncomingMessage;
  readonly res?: ServerResponse;
  /** Who sends what came over a socket, and the socket. */
  readonly client?: Client;
  readonly overSocket?: OverSocket;
}

const countOperation = (meter: Metering, document: DocumentNode, name: string | undefined, { client }: Context): void =>
  meter.operation(client.header, getOperationAST(document, name)?.operation ?? 'none');

/** Runs operations compiled, with the context of the request, when it is their turn to use the database. */
const compiled = (atWork: Room): Plugin<Context> => ({
  onExecute({ args, setExecuteFn }) {
    const context = args.contextValue as Context;
    const { res } = args.contextValue as { res?: ServerResponse };
    if (metering) countOperation(metering, args.document, args.operationName ?? undefined, context);
    setExecuteFn(async () => {
      if (!atWork.enter()) await atWork.wait(res);
      try {
        return await execute(args.schema, args.document, args.operationName ?? undefined, args.variableValues ?? {}, context);
      } finally {
        atWork.leave();
      }
    });
  },
});

/** Runs subscriptions over the log of changes; they begin when it is their turn to use the database. */
export const subscribed = (
  { resources, identify, streams }: Pick<GraphQLOptions, 'resources' | 'identify' | 'streams'>,
  mask: Mask,
): Plugin<Context> => ({
  onSubscribe({ args, setSubscribeFn }) {
    const { caller, client } = args.contextValue as Context;
    const { schema, document, operationName } = args;
    const asked = { schema, document, operationName: operationName ?? undefined, variables: args.variableValues ?? {} };
    if (metering) countOperation(metering, document, asked.operationName, args.contextValue as Context);
    setSubscribeFn(async () => {
      const refused = tooCostly(schema, document, asked.operationName, asked.variables);
      if (refused) return { errors: [mask(refused.error)] };
      const outlet = outletOf(args.contextValue as object);
      const { atWork } = resources;
      if (!atWork.enter()) await atWork.wait((args.contextValue as OfNode).res);
      try {
        const by = { resources, streams, mask, client, caller, outlet, identify: () => identify(client.header) };
        return await subscribeTo(asked, by);
      } finally {
        atWork.leave();
      }
    });
  },
});

/** Errors of validation leave as all others do. */
export const validated = (mask: Mask): Plugin<Context> => ({
  onValidate:
    () =>
    ({ valid, result, setResult }) => {
      if (!valid) setResult(once(result.map(mask)));
    },
});

/** What the answer's status and headers are made of, as Yoga has it in an error. */
interface Http {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** In `application/json` the specification would have a 200. */
  readonly spec?: boolean;
}

const httpOf = ({ extensions }: GraphQLError): Http | undefined => extensions.http as Http | undefined;

/** Whether nothing but events can be read: their protocol has errors told in one of them, because readers see nothing of other answers than 200. */
const readsEventsOnly = (accept: string): boolean => accept.includes('text/event-stream') && !/application\/|\*\/\*/.test(accept);

/**
 * What was executed is a 200, whatever became of its fields: clients throw the data of other answers away. What could not be executed at
 * all keeps its status, also in `application/json` where the specification would have 200, unless the client asked for that type by name.
 */
export const strict: Plugin<Context> = {
  onResultProcess({ request, result }) {
    if (!('errors' in result)) return;
    const accept = request.headers.get('accept') ?? '';
    const asksForJson = accept.includes('application/json');
    const isEvent = readsEventsOnly(accept);
    for (const error of result.errors ?? []) {
      const { status, headers, spec } = httpOf(error) ?? {};
      if (result.data !== undefined) error.extensions.http = headers && { headers };
      else if (isEvent) error.extensions.http = { status: 200, headers };
      else if (status !== undefined) error.extensions.http = { status, headers, spec: asksForJson && spec };
    }
  },
};

/** An error with the status of its code, for requests that cannot be executed, and with when a retry makes sense. */
export const status = (error: GraphQLError): GraphQLError => {
  const { code, retryAfter } = error.extensions;
  if (!isCode(code) || code === 'INTERNAL') return error;
  const headers = typeof retryAfter === 'number' ? { 'retry-after': String(retryAfter) } : undefined;
  const http: Http = { status: statuses[code], headers, spec: httpOf(error)?.spec };
  return new GraphQLError(error.message, {
    ...(error.nodes ? { nodes: error.nodes } : { source: error.source, positions: error.positions }),
    ...(error.path ? { path: error.path } : {}),
    extensions: { ...error.extensions, http },
  });
};

/** `/graphql`: the whole graph, with a page for browsers. */
export function createGraphQL(options: GraphQLOptions): YogaServerInstance<OfNode, Context> {
  const { schema, resources, log, identify, answers, trusted, isSchemaOpen, trust } = options;
  const mask = masking(schema, log);
  const leaving = (error: unknown) => status(mask(error));
  return createYoga<OfNode, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    logging: false,
    batching: false,
    // The host has answered for it: Yoga's own would let every page read, with cookies.
    cors: false,
    maskedErrors: { maskError: leaving },
    parserAndValidationCache: parsedDocuments(),
    extraParamNames: [documentId],
    // The host serves the page.
    graphiql: false,
    context: async ({ request, req, res, client: ofSocket }) => {
      const header = ofSocket?.header ?? ((name: string) => request.headers.get(name) ?? undefined);
      if (ofSocket) return { ...contextOf(resources, await identify(header), 'write', ofSocket) };
      const client = req && res ? clientOf(req, res, trust, header) : { ...unknownClient, header };
      const caller = await identify(header).catch((error: unknown) => {
        throw inRequest(error, client.requestId);
      });
      if (res) metering?.caller(res, caller);
      // The first statement of a mutation moves the request to the primary; a guard on Mutation fields does so.
      const context = contextOf(resources, caller, 'read', client);
      await resources.readYourWrites.after(context.sql, header(consistencyHeader));
      return { ...context };
    },
    plugins: [
      persisted(trusted),
      isSchemaOpen ? {} : forNamedCallers(identify, leaving),
      limits,
      validated(mask),
      toldLive(leaving),
      eventsTaken(leaving),
      complexityLimit(status),
      replay(answers),
      tellsWrites(resources.readYourWrites),
      placed,
      compiled(resources.atWork),
      subscribed(options, leaving),
      strict,
    ] as Plugin[],
  }) as YogaServerInstance<OfNode, Context>;
}
