import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import { attachFacts, type OperationFacts, type RequestFacts } from '../../kernel/monitoring/request-facts.js';
import type { Unavailability } from '../../kernel/monitoring/unavailable.js';
import { nextRequestId, requestIdOf } from './response-headers.js';

type RoutedRequest = IncomingMessage & { originalUrl?: string; route?: { path?: unknown }; body?: unknown; query?: unknown };

/** Paths that Express matches without a pattern. */
const staticPaths = /^\/(?:graphql|subgraphs\/[a-z]+)(?=\/?(?:\?|$))/;

/** Returns the path pattern of a request that Express handles. Express modifies the URL during routing. */
const expressRouteOf = ({ route, originalUrl, url = '' }: RoutedRequest): string =>
  typeof route?.path === 'string' ? route.path : (staticPaths.exec(originalUrl ?? url)?.[0] ?? 'other');

const validName = /^[_A-Za-z]\w*$/;

/** Start of a document whose first operation has a name. */
const namedOperation = /^\s*(?:query|mutation|subscription)\s+([_A-Za-z]\w*)/;

/** Returns the name of the operation that a request asks for. Undefined if it has no valid name, or if the request is not for GraphQL. */
function requestedNameOf({ originalUrl = '', method, body, query }: RoutedRequest): string | undefined {
  if (!staticPaths.test(originalUrl)) return undefined;
  const parameters = (method === 'POST' ? body : query) as { operationName?: unknown; query?: unknown } | undefined;
  const { operationName, query: text } = parameters ?? {};
  if (typeof operationName === 'string') return validName.test(operationName) ? operationName : undefined;
  return typeof text === 'string' ? namedOperation.exec(text)?.[1] : undefined;
}

class CollectedFacts implements RequestFacts {
  readonly arrivedAt = performance.now();
  caller: Caller | null = null;
  operation: OperationFacts | null = null;
  unavailability: Unavailability | null = null;
  isReported: boolean;
  #route: string | null = null;
  #generatedId: number | undefined;
  readonly #request: RoutedRequest;
  readonly #response: ServerResponse | null;

  /** `response` is null for operations over a WebSocket. */
  constructor(request: IncomingMessage, response: ServerResponse | null) {
    this.#request = request;
    this.#response = response;
    this.isReported = response === null;
  }

  get requestId(): number {
    if (this.#response) return requestIdOf(this.#response);
    this.#generatedId ??= nextRequestId();
    return this.#generatedId;
  }

  get route(): string {
    return this.#route ?? expressRouteOf(this.#request);
  }

  /**
   * Name of the GraphQL operation. If no operation was executed, for example because the document is invalid, the name is parsed from the
   * request.
   */
  get operationName(): string | undefined {
    if (this.#route !== null) return undefined;
    return this.operation ? this.operation.name : requestedNameOf(this.#request);
  }

  set route(pattern: string) {
    this.#route = pattern;
  }
}

/** Starts to collect the facts about the request that a response belongs to. */
export function startCollectingFacts(response: ServerResponse): void {
  attachFacts(response, new CollectedFacts(response.req, response));
}

/** Returns facts about an operation over a WebSocket, which has no log line of its own. `request` is the upgrade request. */
export const socketFacts = (request: IncomingMessage): RequestFacts => new CollectedFacts(request, null);
