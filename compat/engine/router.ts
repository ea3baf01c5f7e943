import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  type Caller,
  type Claim,
  type Client,
  type ConcurrencyLimiter,
  deferHeaders,
  type IdempotentResponses,
  metering,
  type Polls,
  platformIdOf,
  requestIdOf,
  tracing,
} from '../../src/gateway/run.js';
import { fail } from '../../src/kernel/declare/errors.js';
import { admitted, withoutIgnoredUser } from './admission.js';
import { compile, match, type Place, type Tables } from './find.js';
import type { Prepared } from './prepare.js';
import { type Announcements, announcing, rehearse } from './reply/announce.js';
import { faultOf } from './reply/faults.js';
import { taggedOnce } from './reply/kept.js';
import { answerOnce } from './reply/once.js';
import type { Answer } from './reply/replies.js';
import { clientLeft, respond, respondFault } from './reply/respond.js';
import type { LegacyRequest, Paging } from './request/reader.js';
import { bodyOf } from './request/request-body.js';
import { WatchedRequest } from './request/watched-request.js';

/** Options of the legacy interface. */
export interface LegacyOptions extends Tables {
  /** Authenticates a caller by the token headers. */
  readonly identify: (headers: IncomingHttpHeaders) => Promise<Caller>;
  /** Client of a request, which can also set response headers. Default: the connection. */
  readonly clientOf?: (request: IncomingMessage, response: ServerResponse) => Client;
  readonly paging: Paging;
  /** Stored responses of requests with an `Idempotency-Key`. Default: repeated requests run again. */
  readonly answers?: IdempotentResponses;
  /** Knows the ETags of earlier responses. Default: each response is created to compute its ETag. */
  readonly polls?: Polls;
  /** Limits the number of concurrent requests that use the database. Default: no limit. */
  readonly atWork?: ConcurrencyLimiter;
  /** Announcements of deprecated routes. Default: none. */
  readonly announcements?: Announcements;
  /**
   * Called after every response, with the route, such as `GET /v1/data/teams/{uuid}`, the caller, the status, the arrival time and the duration in
   * milliseconds. There is no caller if the tokens could not be read.
   */
  readonly count?: (route: string, caller: Caller | null, status: number, begun: number, milliseconds: number) => void;
  readonly log: { error(details: object, message: string): void };
}

/** Runs the first alternative that applies. One with a null result may continue with the next. */
async function run(alternatives: readonly Prepared[], request: LegacyRequest): Promise<Answer> {
  for (const { route, wanted, answer } of alternatives) {
    if (!wanted(request)) continue;
    const found = await answer(request);
    if (found) return found;
    if (route.onNull !== 'next') break;
  }
  return fail('NOT_FOUND', 'there is no such record');
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

/** Properties of an error that may be logged. Others, which databases add, contain values. */
const told = (error: unknown) => (error instanceof Error ? { message: error.message, stack: error.stack } : String(error));

/** Paths of section 4.20 contain one-time values, codes and email addresses, which are not logged. */
const withoutSecrets = (path: string): string => path.replace(/[^/]{16,}|\d{6,}|[^/]*(?:@|%40)[^/]*/g, '…');

const prefixes = /^\/+(?:v1|sso_platform)(?:[/?]|$)/;

/** Whether a path belongs to this interface. */
export const isLegacy = ({ url = '' }: IncomingMessage): boolean => prefixes.test(url);

/** Headers by case-insensitive name. Values of duplicate headers are joined. */
const headerOf =
  ({ headers }: IncomingMessage) =>
  (name: string): string | undefined => {
    const value = headers[name.toLowerCase()];
    return typeof value === 'object' ? value.join(', ') : value;
  };

const connected = (request: IncomingMessage, response: ServerResponse): Client => ({
  address: request.socket.remoteAddress ?? '',
  origin: null,
  get requestId() {
    return requestIdOf(response);
  },
  header: headerOf(request),
  tell: (name, value) => void response.setHeader(name, value),
});

/** Wraps a client without evaluating its lazy properties, which a copy would do. */
const fenced = (client: Client, fence: Claim['fence']): Client => Object.create(client, { fence: { value: fence } });

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** Whether a route is a query without cached responses. */
const isMade = (alternatives: readonly Prepared[]): boolean => alternatives.every(({ route, writes }) => !route.keep && !writes);

/** State of a request. */
interface Met {
  /** Arrival time, as `performance.now()`. */
  readonly begun: number;
  place: Place | null;
  caller: Caller | null;
}

/** Handles a request of Node.js or Express. */
export type LegacyHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Sends the response to a request that timed out. */
export const tellLate = (response: ServerResponse, late: Error): Promise<void> =>
  respondFault(response, faultOf(late), requestIdOf(response));

/** Creates a handler for the legacy interface. It passes other paths on. Throws if a table does not match the schema. */
export function legacyRouter(options: LegacyOptions): LegacyHandler {
  const { identify, paging, answers, polls, atWork, log, announcements, count, clientOf = connected } = options;
  const find = compile(options);

  // Stages of a request, in order.
  async function answer(request: IncomingMessage, response: ServerResponse, met: Met): Promise<Answer> {
    const { place, alternatives, params, query } = match(find, request, response);
    met.place = place;
    if (place.headers) deferHeaders(response, place.headers);
    tracing?.route(place.pattern);
    metering?.route(response, place.pattern);
    const news = announcements?.refresh(met.begun);
    const caller = withoutIgnoredUser(alternatives, await identify(request.headers));
    if (news) await news;
    met.caller = caller;
    const announcement = announcements?.of(place.route, platformIdOf(caller)) ?? null;
    if (announcement) deferHeaders(response, announcing(announcement, place.links, Date.now()));
    metering?.caller(response, caller);
    const open = admitted(alternatives, caller, params);
    if (announcement) rehearse(announcement, place.route, Date.now());
    const body = isRead(request)
      ? {}
      : await bodyOf(
          request,
          response,
          open.some((alternative) => alternative.needsBody),
        );
    const client = clientOf(request, response);
    const asked: LegacyRequest = { params, query, headers: request.headers, body, caller, client, paging };
    if (isRead(request) && isMade(open)) return made(open, asked, request, response);
    const work = (fence?: Claim['fence']) => run(open, fence ? { ...asked, client: fenced(client, fence) } : asked);
    const once = () => answerOnce(answers, request, response, caller, work);
    // Responses from the cache do not use the database.
    return open.every(({ route }) => route.keep) ? once() : inTurn(response, once);
  }

  async function inTurn<T>(response: ServerResponse, work: () => Promise<T>): Promise<T> {
    if (!atWork) return work();
    if (!atWork.tryAcquire()) await atWork.acquire(response);
    try {
      return await work();
    } finally {
      atWork.release();
    }
  }

  /** A response with an ETag. It is not created if the client is known to have the current one. */
  async function made(
    open: readonly Prepared[],
    asked: LegacyRequest,
    { url = '', headers: { 'if-none-match': has } }: IncomingMessage,
    response: ServerResponse,
  ): Promise<Answer> {
    const poll = polls?.start(asked.caller, url, has !== undefined) ?? null;
    const known = poll && has !== undefined ? await poll.unchangedTag(has) : null;
    if (known !== null) return { status: 200, etag: known, ...(open.some(({ route }) => route.tag) ? {} : { isUnkept: true }) };
    const answer = taggedOnce(await inTurn(response, () => run(open, poll ? new WatchedRequest(asked, poll) : asked)));
    if (answer.etag !== undefined) poll?.save(answer.etag);
    return answer;
  }

  async function reply(request: IncomingMessage, response: ServerResponse, met: Met): Promise<void> {
    const requestId = requestIdOf(response);
    response.removeHeader('X-Powered-By');
    try {
      await respond(response, await answer(request, response, met));
    } catch (error) {
      // The request has timed out and already has a response.
      if (response.writableEnded) return;
      const fault = faultOf(error);
      if (fault.unexpected && !clientLeft(error))
        log.error(
          { err: told(error), requestId, method: request.method, path: withoutSecrets(pathOf(request)) },
          'unexpected error',
        );
      if (response.headersSent) response.destroy();
      else await respondFault(response, fault, requestId);
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begun = performance.now();
    const met: Met = { begun, place: null, caller: null };
    await reply(request, response, met);
    if (met.place) count?.(met.place.route, met.caller, response.statusCode, begun, performance.now() - begun);
  }

  return (request, response, next) => {
    if (isLegacy(request)) void serve(request, response);
    else next();
  };
}
