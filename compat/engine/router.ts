import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  type Caller,
  type Client,
  type ConcurrencyLimiter,
  deferHeaders,
  type IdempotentResponses,
  type KeyClaim,
  platformIdOf,
  type RequestFacts,
  type ResponseCache,
  recordUnavailability,
  requestFactsOf,
  requestIdOf,
  tracing,
  unexpectedErrorFields,
} from '../../src/graphql/run.js';
import { codeOf, fail, statuses } from '../../src/kernel/declare/errors.js';
import { callerWithoutIgnoredUser, permittedAlternatives } from './admission.js';
import type { PreparedRoute } from './prepare.js';
import { type Announcements, deprecationHeaders, rejectDuringRehearsal } from './reply/deprecation.js';
import { httpErrorOf } from './reply/error-response.js';
import { runIdempotently } from './reply/idempotency.js';
import type { LegacyResponse } from './reply/replies.js';
import { isClientDisconnect, respond, respondError } from './reply/respond.js';
import { withTag } from './reply/response-cache.js';
import type { LegacyRequest, Paging } from './request/reader.js';
import { bodyOf } from './request/request-body.js';
import { WatchedRequest } from './request/watched-request.js';
import { type LegacyTables, matchRoute, type RouteInfo, routeFinder } from './route-matching.js';

/** Options of the legacy interface. */
export interface LegacyOptions extends LegacyTables {
  /** Returns the caller that the token headers authenticate, and records it in `facts`. */
  readonly identify: (headers: IncomingHttpHeaders, facts?: RequestFacts) => Promise<Caller>;
  /**
   * Returns the client that sent a request. Its method `setResponseHeader` sets headers of the response. Default: the peer of the
   * connection.
   */
  readonly clientOf?: (request: IncomingMessage, response: ServerResponse) => Client;
  readonly paging: Paging;
  /** Stored responses of requests with an `Idempotency-Key`. Default: none, so repeated requests run again. */
  readonly idempotentResponses?: IdempotentResponses;
  /** Cache of responses and their ETags. Default: none, so every request runs its operation. */
  readonly responseCache?: ResponseCache;
  /** Limits the number of concurrent requests that use the database. Default: no limit. */
  readonly concurrencyLimiter?: ConcurrencyLimiter;
  /** Announcements of deprecated routes. Default: none. */
  readonly announcements?: Announcements;
  /**
   * Called after every response to a known route. Arguments: the route, such as `GET /v1/data/teams/{uuid}`, the caller, the status, the
   * arrival time as `performance.now()`, and the duration in milliseconds. The caller is null if authentication failed.
   */
  readonly onResponse?: (route: string, caller: Caller | null, status: number, arrivedAt: number, milliseconds: number) => void;
  readonly log: { error(details: object, message: string): void };
}

/**
 * Runs the first alternative with a true condition. If its result is null and `onNull` is `next`, continues with the next alternative.
 * Throws 404 if there is no result.
 */
async function runAlternatives(alternatives: readonly PreparedRoute[], request: LegacyRequest): Promise<LegacyResponse> {
  for (const { route, applies, handle } of alternatives) {
    if (!applies(request)) continue;
    const result = await handle(request);
    if (result) return result;
    if (route.onNull !== 'next') break;
  }
  return fail('NOT_FOUND', 'there is no such record');
}

const prefixes = /^\/+(?:v1|sso_platform)(?:[/?]|$)/;

/** Whether a request is for the legacy interface. */
export const isLegacy = ({ url = '' }: IncomingMessage): boolean => prefixes.test(url);

/** Returns a function that reads headers by case-insensitive name. Values of duplicate headers are joined. */
const headerOf =
  ({ headers }: IncomingMessage) =>
  (name: string): string | undefined => {
    const value = headers[name.toLowerCase()];
    return typeof value === 'object' ? value.join(', ') : value;
  };

const connectionClient = (request: IncomingMessage, response: ServerResponse): Client => ({
  address: request.socket.remoteAddress ?? '',
  origin: null,
  get requestId() {
    return requestIdOf(response);
  },
  header: headerOf(request),
  setResponseHeader: (name, value) => void response.setHeader(name, value),
});

/**
 * Returns a client with the fence of an idempotency key, which ensures that the request is committed only once. The given client is the
 * prototype, because a copy would evaluate its lazy properties.
 */
const withFence = (client: Client, fence: KeyClaim['fence']): Client => Object.create(client, { fence: { value: fence } });

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** Whether all alternatives are queries without cached responses. */
const isUncachedQuery = (alternatives: readonly PreparedRoute[]): boolean =>
  alternatives.every(({ route, isMutation }) => !route.isCached && !isMutation);

/** State of a request, for metrics. */
interface RequestState {
  /** Arrival time, as `performance.now()`. */
  readonly arrivedAt: number;
  routeInfo: RouteInfo | null;
  caller: Caller | null;
}

/** Request handler for Node.js and Express. */
export type LegacyHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Sends the response to a request that timed out. */
export const respondToTimeout = (response: ServerResponse, timeout: Error): Promise<void> =>
  respondError(response, httpErrorOf(timeout), requestIdOf(response));

/**
 * Creates a handler for the legacy interface. It calls `next` for other paths. Throws if a record table or a route table does not match the
 * GraphQL schema.
 */
export function legacyRouter(options: LegacyOptions): LegacyHandler {
  const {
    identify,
    paging,
    idempotentResponses,
    responseCache,
    concurrencyLimiter,
    log,
    announcements,
    onResponse,
    clientOf = connectionClient,
  } = options;
  const findRoute = routeFinder(options);

  // Handles a request in stages: finds the route, identifies the caller, checks permissions, reads the body and runs the operation.
  async function handle(request: IncomingMessage, response: ServerResponse, state: RequestState): Promise<LegacyResponse> {
    const { routeInfo, alternatives, params, query } = matchRoute(findRoute, request, response);
    state.routeInfo = routeInfo;
    if (routeInfo.headers) deferHeaders(response, routeInfo.headers);
    tracing?.route(routeInfo.pattern);
    const facts = requestFactsOf(response);
    if (facts) facts.route = routeInfo.pattern;
    const refreshedAnnouncements = announcements?.refresh(state.arrivedAt);
    const caller = callerWithoutIgnoredUser(alternatives, await identify(request.headers, facts));
    if (refreshedAnnouncements) await refreshedAnnouncements;
    state.caller = caller;
    const announcement = announcements?.find(routeInfo.route, platformIdOf(caller)) ?? null;
    if (announcement) deferHeaders(response, deprecationHeaders(announcement, routeInfo.links, Date.now()));
    if (facts) facts.caller = caller;
    const permitted = permittedAlternatives(alternatives, caller, params);
    if (announcement) rejectDuringRehearsal(announcement, routeInfo.route, Date.now());
    const body = isRead(request)
      ? {}
      : await bodyOf(
          request,
          response,
          permitted.some((alternative) => alternative.needsBody),
        );
    const client = clientOf(request, response);
    const legacyRequest: LegacyRequest = { params, query, headers: request.headers, body, caller, client, paging };
    if (isRead(request) && isUncachedQuery(permitted)) return handleWithTag(permitted, legacyRequest, request, response);
    const execute = (fence?: KeyClaim['fence']) =>
      runAlternatives(permitted, fence ? { ...legacyRequest, client: withFence(client, fence) } : legacyRequest);
    const executeOnce = () => runIdempotently(idempotentResponses, request, response, caller, execute);
    // Responses from the cache do not use the database.
    return permitted.every(({ route }) => route.isCached) ? executeOnce() : withConcurrencyLimit(response, executeOnce);
  }

  async function withConcurrencyLimit<T>(response: ServerResponse, execute: () => Promise<T>): Promise<T> {
    if (!concurrencyLimiter) return execute();
    if (!concurrencyLimiter.tryAcquire()) await concurrencyLimiter.acquire(response);
    try {
      return await execute();
    } finally {
      concurrencyLimiter.release();
    }
  }

  /** Returns a response with an ETag. Skips the operation if the response is cached, or if the client already has it. */
  async function handleWithTag(
    alternatives: readonly PreparedRoute[],
    legacyRequest: LegacyRequest,
    { url = '', headers: { 'if-none-match': clientTags } }: IncomingMessage,
    response: ServerResponse,
  ): Promise<LegacyResponse> {
    const cacheable = responseCache?.start<LegacyResponse>(legacyRequest.caller, url, clientTags !== undefined) ?? null;
    const current = cacheable && (await cacheable.find(clientTags));
    if (current?.response) return current.response;
    if (current?.tag)
      return {
        status: 200,
        etag: current.tag,
        ...(alternatives.some(({ route }) => route.hasETag) ? {} : { isForOneCaller: true }),
      };
    const taggedResponse = withTag(
      await withConcurrencyLimit(response, () =>
        runAlternatives(alternatives, cacheable ? new WatchedRequest(legacyRequest, cacheable) : legacyRequest),
      ),
    );
    const { etag, text, bytes } = taggedResponse;
    if (etag !== undefined) cacheable?.save(etag, taggedResponse, text?.length ?? bytes?.length ?? 0);
    return taggedResponse;
  }

  async function reply(request: IncomingMessage, response: ServerResponse, state: RequestState): Promise<void> {
    const requestId = requestIdOf(response);
    response.removeHeader('X-Powered-By');
    try {
      await respond(response, await handle(request, response, state));
    } catch (error) {
      // The request timed out, and its response has already been sent.
      if (response.writableEnded) return;
      const httpError = httpErrorOf(error);
      // Errors of operations are already logged.
      if (httpError.unexpected && codeOf(error) !== 'INTERNAL' && !isClientDisconnect(error))
        log.error(
          { ...unexpectedErrorFields(error), requestId, method: request.method, route: state.routeInfo?.pattern },
          'unexpected error',
        );
      if (httpError.status === statuses.UNAVAILABLE && error instanceof Error)
        recordUnavailability(error, requestFactsOf(response));
      if (response.headersSent) response.destroy();
      else await respondError(response, httpError, requestId);
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedAt = performance.now();
    const state: RequestState = { arrivedAt, routeInfo: null, caller: null };
    await reply(request, response, state);
    if (state.routeInfo)
      onResponse?.(state.routeInfo.route, state.caller, response.statusCode, arrivedAt, performance.now() - arrivedAt);
  }

  return (request, response, next) => {
    if (isLegacy(request)) void serve(request, response);
    else next();
  };
}
