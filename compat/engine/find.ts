import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import findMyWay from 'find-my-way';
import type { Graph } from '../../src/gateway/run.js';
import { fail } from '../../src/kernel/declare/errors.js';
import type { LegacyRecord } from './bind/binding.js';
import { codecsOf } from './bind/codec.js';
import { type Prepared, prepare } from './prepare.js';
import { type Links, linkHeaders } from './reply/announce.js';
import type { LegacyRequest } from './request/reader.js';
import { type Method, methods, type Route, type Routes, routeKey } from './route.js';

/** Tables of the interface, and the GraphQL schema that they must match. */
export interface Tables {
  readonly graph: Graph;
  readonly routes: readonly Routes[];
  readonly records: readonly LegacyRecord[];
  /** Whether a table is checked against the schema on its first request, instead of all tables at startup. */
  readonly lazily?: boolean;
  /** Links to the documentation of a route, for the header `Link` of its responses. */
  readonly linksOf?: (method: Method, path: string) => Links;
}

/** Method and path of a route. */
export interface Place {
  /** Method and path, such as `GET /v1/data/teams/{uuid}`. */
  readonly route: string;
  /** Path pattern, such as `/v1/data/teams/{uuid}`. */
  readonly pattern: string;
  readonly links: Links | null;
  /** Headers of all its responses. */
  readonly headers: OutgoingHttpHeaders | null;
}

interface Match {
  readonly place: Place;
  readonly alternatives: readonly Prepared[];
  readonly params: LegacyRequest['params'];
  readonly query: LegacyRequest['query'];
}

/** Creates a value on the first call, and returns the same value on later calls. */
function kept<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export type Find = (
  method: string,
  url: string,
) => (Omit<Match, 'alternatives'> & { alternatives: readonly Prepared[] | null }) | null;

/** Checks all tables against the schema and indexes the routes. Throws one error that lists all problems. */
export function compile({ graph, routes, records, lazily = false, linksOf }: Tables): Find {
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
      const shape = `${method} ${key.path.replaceAll(/\{\w+\}/g, '{}')}`;
      const links = linksOf?.(method, key.path) ?? null;
      const place: Place = { route: `${method} ${key.path}`, pattern: key.path, links, headers: links && linkHeaders(links) };
      if (seen.has(shape)) report(`${shape} is taken by another route`);
      else router.on(method, pattern, () => {}, { place, prepared });
      seen.add(shape);
    }
  }
  halt();
  return (method, url) => {
    const found = router.find(method as Method, url);
    return (
      found && {
        place: found.store?.place,
        alternatives: found.store?.prepared() ?? null,
        params: found.params,
        query: found.searchParams,
      }
    );
  };
}

/** Finds the route of a request. Throws 404 for unknown paths, and 405 with `Allow` for other methods. */
export function match(find: Find, request: IncomingMessage, response: ServerResponse): Match {
  const { url = '' } = request;
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
  const found = find(method, url);
  // HEAD requests must not change anything, because mail scanners send them to links in emails.
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
