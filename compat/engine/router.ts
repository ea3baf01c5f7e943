import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import findMyWay from 'find-my-way';
import {
  type Caller,
  type Client,
  type First,
  type FirstAnswers,
  type Graph,
  metering,
  type Room,
  requestIdOf,
  tracing,
} from '../../src/gateway/run.js';
import { fail } from '../../src/kernel/declare/errors.js';
import { admitted } from './admission.js';
import type { LegacyRecord } from './bind/binding.js';
import { codecsOf } from './bind/codec.js';
import { type Prepared, prepare } from './prepare.js';
import { faultOf } from './reply/faults.js';
import { answerOnce } from './reply/once.js';
import type { Answer } from './reply/replies.js';
import { clientLeft, respond, respondFault } from './reply/respond.js';
import type { LegacyRequest, Paging } from './request/reader.js';
import { bodyOf } from './request/request-body.js';
import { type Method, methods, type Route, type Routes, routeKey } from './route.js';

/** What the legacy interface is made of. */
export interface LegacyOptions {
  readonly graph: Graph;
  readonly routes: readonly Routes[];
  readonly records: readonly LegacyRecord[];
  /** Who asks, from the two token headers. */
  readonly identify: (headers: IncomingHttpHeaders) => Promise<Caller>;
  /** Who sends a request, and how its answer is given headers; by default the connection. */
  readonly clientOf?: (request: IncomingMessage, response: ServerResponse) => Client;
  readonly paging: Paging;
  /** What requests that are sent again are answered with; without it they run again. */
  readonly answers?: FirstAnswers;
  /** Where requests wait for their turn to use the database; without it all of them use it at once. */
  readonly atWork?: Room;
  /** Whether each table is checked against the graph when the first request needs it, instead of all at once. */
  readonly lazily?: boolean;
  readonly log: { error(details: object, message: string): void };
}

interface Match {
  readonly pattern: string;
  readonly alternatives: readonly Prepared[];
  readonly params: LegacyRequest['params'];
  readonly query: LegacyRequest['query'];
}

/** What is made when it is first asked for. */
function kept<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

type Find = (
  method: string,
  url: string,
) => { pattern: string; alternatives: readonly Prepared[] | null; params: Match['params']; query: Match['query'] } | null;

/** Checks every table against the graph and makes the routes findable; throws one error that lists all that is wrong. */
function compile({ graph, routes, records, lazily = false }: LegacyOptions): Find {
  const problems: string[] = [];
  const halt = () => {
    if (problems.length) throw new Error(`the tables of the legacy interface don't fit the graph:\n  ${problems.join('\n  ')}`);
  };
  const codecs = codecsOf(graph.schema, records, (problem) => problems.push(problem), { lazily });
  halt();
  const router = findMyWay({
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: 16_384,
    onBadUrl: () => {},
  });
  const seen = new Set<string>();
  for (const [name, entry] of routes.flatMap((table) => Object.entries(table))) {
    const report = (problem: string) => problems.push(`route ${name}: ${problem}`);
    const key = routeKey(name);
    if (!key) {
      report('the key must read like `GET /v1/teams/{uuid}`');
      continue;
    }
    const prepared = kept(() => {
      const alternatives = [entry].flat().map((route: Route) => prepare(route, key, graph, codecs, report));
      if (lazily) halt();
      return alternatives;
    });
    if (!lazily) prepared();
    const pattern = key.path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const method of key.methods) {
      const place = `${method} ${key.path.replaceAll(/\{\w+\}/g, '{}')}`;
      if (seen.has(place)) report(`${place} is taken by another route`);
      else router.on(method, pattern, () => {}, { pattern: key.path, prepared });
      seen.add(place);
    }
  }
  halt();
  return (method, url) => {
    const found = router.find(method as Method, url);
    return (
      found && {
        pattern: found.store?.pattern,
        alternatives: found.store?.prepared() ?? null,
        params: found.params,
        query: found.searchParams,
      }
    );
  };
}

/** The route of a request; 404 for unknown paths, 405 with `Allow` for other methods. */
function match(find: Find, request: IncomingMessage, response: ServerResponse): Match {
  const { url = '' } = request;
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
  const found = find(method, url);
  // A HEAD must change nothing: mail scanners send it to the links of mails.
  const changing = (each: typeof found) => each?.alternatives?.some(({ writes }) => writes) ?? false;
  if (found?.alternatives && !(request.method === 'HEAD' && changing(found)))
    return { ...found, alternatives: found.alternatives };
  if (found && !found.alternatives) fail('BAD_INPUT', 'path: expected valid percent-encoding');
  const others = methods.filter((other) => find(other, url)?.alternatives);
  if (!others.length) fail('NOT_FOUND', 'there is no such path');
  const allowed = others.flatMap((other) => (other === 'GET' && !changing(find('GET', url)) ? ['GET', 'HEAD'] : other));
  response.setHeader('Allow', allowed.join(', '));
  return fail('METHOD_NOT_ALLOWED', `expected one of the methods ${others.join(', ')}`);
}

/** The first alternative that is meant; one whose root is null may go on to the next. */
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

/** What of an error may be logged: what databases add to one holds values. */
const told = (error: unknown) => (error instanceof Error ? { message: error.message, stack: error.stack } : String(error));

/** Paths of section 4.20 hold one-time values, codes and addresses. */
const withoutSecrets = (path: string): string => path.replace(/[^/]{16,}|\d{6,}|[^/]*(?:@|%40)[^/]*/g, '…');

const prefixes = /^\/+(?:v1|sso_platform)(?:[/?]|$)/;

/** Whether a request is for this interface. */
export const isLegacy = ({ url = '' }: IncomingMessage): boolean => prefixes.test(url);

/** Headers by their names in any case; of a doubled one its values in one text. */
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

/** The same client, of whom nothing is worked out before it is asked for: a copy would ask for all of it. */
const fenced = (client: Client, fence: First['fence']): Client => Object.create(client, { fence: { value: fence } });

/** Answers a request of Node's own server or of Express. */
export type LegacyHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Answers a request that took too long. */
export const tellLate = (response: ServerResponse, late: Error): Promise<void> =>
  respondFault(response, faultOf(late), requestIdOf(response));

/** The whole legacy interface as one handler; paths outside it go on to the next. Throws when a table doesn't fit the graph. */
export function legacyRouter(options: LegacyOptions): LegacyHandler {
  const { identify, paging, answers, atWork, log, clientOf = connected } = options;
  const find = compile(options);

  // The stages in the order in which a request meets them.
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Answer> {
    const { pattern, alternatives, params, query } = match(find, request, response);
    tracing?.route(pattern);
    metering?.route(response, pattern);
    const caller = await identify(request.headers);
    metering?.caller(response, caller);
    const open = admitted(alternatives, caller, params);
    const body = request.method === 'GET' || request.method === 'HEAD' ? {} : await bodyOf(request, response);
    const client = clientOf(request, response);
    const work = (fence?: First['fence']) =>
      run(open, {
        params,
        query,
        headers: request.headers,
        body,
        caller,
        client: fence ? fenced(client, fence) : client,
        paging,
      });
    // What is kept in memory needs no turn.
    if (!atWork || open.every(({ route }) => route.keep)) return answerOnce(answers, request, response, caller, work);
    if (!atWork.enter()) await atWork.wait(response);
    try {
      return await answerOnce(answers, request, response, caller, work);
    } finally {
      atWork.leave();
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = requestIdOf(response);
    response.removeHeader('X-Powered-By');
    try {
      await respond(response, await answer(request, response));
    } catch (error) {
      // It was late, and has been told so.
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

  return (request, response, next) => {
    if (isLegacy(request)) void serve(request, response);
    else next();
  };
}
