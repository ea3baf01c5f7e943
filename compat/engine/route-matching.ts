import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Graph } from '../../src/graphql/run.js';
import { fail } from '../../src/kernel/declare/errors.js';
import type { LegacyRecord } from './bind/binding.js';
import { codecsOf } from './bind/codec.js';
import { type PreparedRoute, prepareRoute } from './prepare.js';
import { type Links, linkHeaders } from './reply/deprecation.js';
import type { LegacyRequest } from './request/reader.js';
import { createPathRouter, type Method, methods, type Route, type Routes, routeKey, routerPattern } from './route.js';

/** Tables of the legacy interface, and the GraphQL schema that they must match. */
export interface LegacyTables {
  readonly graph: Graph;
  readonly routes: readonly Routes[];
  readonly records: readonly LegacyRecord[];
  /** Whether each route is checked against the schema on its first request, instead of at startup. */
  readonly isLazy?: boolean;
  /** Returns the documentation URLs of a route, for the header `Link` of its responses. */
  readonly linksOf?: (method: Method, path: string) => Links;
}

/** Method, path, documentation links and headers of a route. */
export interface RouteInfo {
  /** Method and path, such as `GET /v1/data/teams/{uuid}`. */
  readonly route: string;
  /** Path pattern, such as `/v1/data/teams/{uuid}`. */
  readonly pattern: string;
  readonly links: Links | null;
  /** Headers of all responses of the route. */
  readonly headers: OutgoingHttpHeaders | null;
}

interface Match {
  readonly routeInfo: RouteInfo;
  readonly alternatives: readonly PreparedRoute[];
  readonly params: LegacyRequest['params'];
  readonly query: LegacyRequest['query'];
}

/** Finds a route. Returns null if no route matches. `alternatives` is null if the path has invalid percent-encoding. */
export type FindRoute = (
  method: string,
  url: string,
) => (Omit<Match, 'alternatives'> & { alternatives: readonly PreparedRoute[] | null }) | null;

/** Returns a function that finds routes. Checks all tables against the GraphQL schema and throws one error that lists all problems. */
export function routeFinder({ graph, routes, records, isLazy = false, linksOf }: LegacyTables): FindRoute {
  const problems: string[] = [];
  const throwProblems = () => {
    if (problems.length)
      throw new Error(
        `the routes and records of the legacy interface do not match the GraphQL schema:\n  ${problems.join('\n  ')}`,
      );
  };
  const codecs = codecsOf(graph.schema, records, (problem) => problems.push(problem), { isLazy });
  throwProblems();
  const router = createPathRouter();
  const registeredShapes = new Set<string>();
  for (const [name, entry] of routes.flatMap((table) => Object.entries(table))) {
    const report = (problem: string) => problems.push(`route ${name}: ${problem}`);
    const key = routeKey(name);
    if (!key) {
      report('the key must have the format `GET /v1/teams/{uuid}`');
      continue;
    }
    let alternatives: (PreparedRoute | null)[] | undefined;
    const getAlternatives = () => {
      alternatives ??= [entry].flat().map((route: Route) => prepareRoute(route, key, graph, codecs, report));
      if (isLazy) throwProblems();
      return alternatives;
    };
    if (!isLazy) getAlternatives();
    for (const method of key.methods) {
      const shape = `${method} ${key.path.replaceAll(/\{\w+\}/g, '{}')}`;
      const links = linksOf?.(method, key.path) ?? null;
      const routeInfo: RouteInfo = {
        route: `${method} ${key.path}`,
        pattern: key.path,
        links,
        headers: links && linkHeaders(links),
      };
      if (registeredShapes.has(shape)) report(`another route has the same method and path: ${shape}`);
      else router.on(method, routerPattern(key.path), () => {}, { routeInfo, getAlternatives });
      registeredShapes.add(shape);
    }
  }
  throwProblems();
  return (method, url) => {
    const match = router.find(method as Method, url);
    return (
      match && {
        routeInfo: match.store?.routeInfo,
        alternatives: match.store?.getAlternatives() ?? null,
        params: match.params,
        query: match.searchParams,
      }
    );
  };
}

/** Finds the route of a request. Throws 404 for unknown paths, and 405 with `Allow` for other methods. */
export function matchRoute(findRoute: FindRoute, request: IncomingMessage, response: ServerResponse): Match {
  const { url = '' } = request;
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
  const match = findRoute(method, url);
  // HEAD requests must not change anything, because mail scanners send them to links in emails.
  const canWrite = (candidate: typeof match) => candidate?.alternatives?.some(({ isMutation }) => isMutation) ?? false;
  if (match?.alternatives && !(request.method === 'HEAD' && canWrite(match)))
    return { ...match, alternatives: match.alternatives };
  if (match && !match.alternatives) fail('BAD_INPUT', 'path: expected valid percent-encoding');
  const supportedMethods = methods.filter((candidate) => findRoute(candidate, url)?.alternatives);
  if (!supportedMethods.length) fail('NOT_FOUND', 'there is no such path');
  const allowedMethods = supportedMethods.flatMap((supported) =>
    supported === 'GET' && !canWrite(findRoute('GET', url)) ? ['GET', 'HEAD'] : supported,
  );
  response.setHeader('Allow', allowedMethods.join(', '));
  return fail('METHOD_NOT_ALLOWED', `expected one of the methods ${supportedMethods.join(', ')}`);
}
