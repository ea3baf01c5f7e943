import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Client } from '../../kernel/declare/context.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import { metering } from '../../kernel/monitoring/metering.js';
import { type CountOperation, type RequestFacts, requestFactsOf } from '../../kernel/monitoring/request-facts.js';
import { headerReaderOf } from './request-headers.js';
import type { CacheableRequest, ResponseCache } from './response-cache.js';
import { deferHeaders, deferredHeaders } from './response-headers.js';

/** Response to a query, with its operation for the log and for metrics. */
interface QueryResponse {
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
  readonly operation: RequestFacts['operation'];
}

/** Request with a body that was read before the request reached its GraphQL server. */
interface ReadRequest {
  readonly body: Buffer;
  /** Caller of the request. Identified only once, because identification also counts the request. */
  readonly caller: Promise<Caller>;
  /** Cache access for the request. Null if the response must not be cached. */
  readonly cacheable: CacheableRequest<QueryResponse> | null;
}

const readRequests = new WeakMap<IncomingMessage, ReadRequest>();

/** Returns the body of a request that the query cache has read. Undefined if the body has not been read. */
export const readBodyOf = (request: IncomingMessage): Buffer | undefined => readRequests.get(request)?.body;

/** Returns the caller that the query cache has identified for a request. Undefined if the caller has not been identified. */
export const admittedCallerOf = (request: IncomingMessage): Promise<Caller> | undefined => readRequests.get(request)?.caller;

/** Returns a client that records the dependencies of the response. Returns `client` itself if the response cannot be cached. */
export function trackClient(request: IncomingMessage, client: Client): Client {
  return readRequests.get(request)?.cacheable?.trackClient(client) ?? client;
}

/** Records that a query ran without errors, so that its response can be cached. */
export function permitCaching({ sources }: Client): void {
  if (sources) sources.isComplete = true;
}

/** Maximum size in bytes of the body of a request that can be cached. */
const maxRequestBytes = 32_768;

const paths = /^\/(?:graphql|subgraphs\/[a-z]+)$/;

/** Headers that change the response. Responses to requests with these headers are not cached. */
const excludedHeaders = ['content-encoding', 'transfer-encoding', 'idempotency-key', 'apollo-federation-include-trace', 'expect'];

/** Headers, besides the tokens, on which a cached response may depend. */
const keyHeaders = ['accept', 'accept-encoding', 'origin', 'router-secret'];

/** Whether the query cache reads the body of a request. True for small JSON bodies that are sent to a GraphQL server. */
function isReadable({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    paths.test(url) &&
    /^application\/json\b/i.test(headers['content-type'] ?? '') &&
    Number(headers['content-length']) <= maxRequestBytes &&
    !/event-stream|multipart/.test(headers.accept ?? '') &&
    excludedHeaders.every((name) => headers[name] === undefined)
  );
}

/** Collects the body of a response while it is written. Returns a function that returns the body. */
function collectBody(response: ServerResponse): () => Buffer {
  const chunks: Buffer[] = [];
  for (const name of ['write', 'end'] as const) {
    const original: unknown = response[name];
    const collect = (...parts: unknown[]) => {
      const [chunk, encoding] = parts;
      if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding | undefined));
      else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
      return Reflect.apply(original as () => unknown, response, parts);
    };
    Object.assign(response, { [name]: collect });
  }
  return () => Buffer.concat(chunks);
}

/** Returns the headers of a sent response that do not depend on the request. */
function storedHeaders(response: ServerResponse): OutgoingHttpHeaders {
  const requestHeaderNames = new Set(Object.keys(deferredHeaders(response)).map((name) => name.toLowerCase()));
  const isStored = (name: string) =>
    !requestHeaderNames.has(name) &&
    !name.startsWith('access-control-') &&
    name !== 'transfer-encoding' &&
    name !== 'content-length';
  return Object.fromEntries(Object.entries(response.getHeaders()).filter(([name]) => isStored(name)));
}

/** Middleware for Node.js and Express. */
type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

interface QueryCacheOptions {
  readonly cache: ResponseCache;
  /** Identifies the caller of a new request, records it in `facts`, and counts the request. */
  admit(header: (name: string) => string | undefined, facts?: RequestFacts): Promise<Caller>;
  /** Middleware that sets the headers of every response. */
  readonly prepareRequest: Middleware;
  /** Counts operations of `/graphql` for usage reports. */
  readonly countOperation: CountOperation;
}

/**
 * Returns middleware that answers repeated queries from memory, before they reach Express and a GraphQL server. All other requests continue
 * to Express. If their body and caller have been determined here, they are not determined again.
 */
export function queryCache({ cache, admit, prepareRequest, countOperation }: QueryCacheOptions): Middleware {
  async function handle(request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> {
    const { url = '', headers } = request;
    const header = headerReaderOf(headers);
    const body = await buffer(request);
    const admission = admit(header, requestFactsOf(response));
    const caller = await admission.catch(() => null);
    const text = body.toString('latin1');
    const isCacheable = caller !== null && !caller.rejected && !text.includes('mutation');
    const key = `${url} ${JSON.stringify(keyHeaders.map(header))} ${text}`;
    const cacheable = isCacheable ? cache.start<QueryResponse>(caller, key, false) : null;
    const current = cacheable && (await cacheable.find(undefined));
    if (current?.response) {
      if (url === '/graphql') countOperation(current.response.operation, caller, 200, requestFactsOf(response)?.arrivedAt ?? 0);
      return send(response, current.response, header);
    }
    readRequests.set(request, { body, caller: admission, cacheable });
    if (cacheable) saveWhenSent(cacheable, response);
    next();
  }

  return (request, response, next) => {
    if (cache.maxBytes === 0 || !isReadable(request)) return next();
    // A client that disconnects while it sends the body needs no response.
    prepareRequest(request, response, () => void handle(request, response, next).catch(() => response.destroy()));
  };
}

/** Sends a cached response. */
function send(response: ServerResponse, { headers, body, operation }: QueryResponse, header: Client['header']): void {
  const facts = requestFactsOf(response);
  if (facts) facts.operation = operation;
  metering?.operation(header, 'query', facts ? (performance.now() - facts.arrivedAt) / 1000 : 0);
  deferHeaders(response, { 'Content-Length': body.length });
  response.writeHead(200, { ...headers, ...deferredHeaders(response) }).end(body);
}

/** Saves the response of a query after it is sent. Collects its body only if the request is repeated. */
function saveWhenSent(cacheable: CacheableRequest<QueryResponse>, response: ServerResponse): void {
  const bodyOf = cacheable.isRepeated ? collectBody(response) : null;
  response.once('finish', () => {
    if (!cacheable.sources.isComplete || response.statusCode !== 200) return;
    const body = bodyOf?.() ?? Buffer.alloc(0);
    const operation = requestFactsOf(response)?.operation ?? null;
    cacheable.save(null, bodyOf && { headers: storedHeaders(response), body, operation }, body.length);
  });
}
