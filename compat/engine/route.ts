import findMyWay from 'find-my-way';
import type { Reply } from './reply/replies.js';
import type { ArgumentReaders, Reader } from './request/reader.js';

/**
 * Token that a route requires: a platform token (A), a user token (U), either of them (A/U), or none. Section 4 of the interface document
 * uses the letters in parentheses.
 */
export type Auth = 'platform' | 'user' | 'platformOrUser' | 'anyone';

export const platform: Auth = 'platform';
export const user: Auth = 'user';
export const platformOrUser: Auth = 'platformOrUser';
export const anyone: Auth = 'anyone';

/** A route of the legacy interface, or one of several alternatives for the same method and path. */
export interface Route {
  readonly auth: Auth;
  /** Token that a route with `auth: anyone` accepts. The route itself handles requests without this token. */
  readonly acceptsToken?: Auth;
  /**
   * Whether the route rejects an invalid user token, even if the platform token is valid. Default: true if `auth` or `acceptsToken` permits
   * users.
   */
  readonly actsForUser?: boolean;
  /** Path parameter that must be the ID of the signed-in user if a request has only a user token (decision 10). */
  readonly ownUserParam?: string;
  /** Whether the route rejects publishable keys, even if the GraphQL policy permits them. */
  readonly rejectsKeys?: true;
  /** Condition of the route. The route is used only if this reader finds a value in the request. */
  readonly when?: Reader;
  /** Readers of the operation's variables. A variable with the name of a path parameter needs no entry. */
  readonly args?: ArgumentReaders;
  /** GraphQL operation, without the definitions of the record fragments that it spreads. */
  readonly operation: string;
  /** Format of the response. */
  readonly reply: Reply;
  /** Handling of a null result. `next` runs the next alternative. Default: 404. */
  readonly onNull?: 'next';
  /** Whether responses are cached for all callers until a table of reference data changes. For public data only. */
  readonly isCached?: true;
  /** Whether responses have an ETag that is the same for all callers. Cached responses always have an ETag. */
  readonly hasETag?: true;
  /** Summary in the reference. Default: the GraphQL description of the root field. */
  readonly summary?: string;
}

/** Whether a route rejects requests with an invalid user token. */
export const readsUserToken = ({ auth, acceptsToken, actsForUser }: Route): boolean =>
  actsForUser ?? [auth, acceptsToken].some((letter) => letter === 'user' || letter === 'platformOrUser');

/**
 * Routes keyed by methods and path, such as `'GET /v1/data/teams/{uuid}'` or `'GET|POST /v1/sso/validate_token'`. An array contains
 * alternatives. A request uses the first alternative with a true condition that the caller may use.
 */
export type Routes = Readonly<Record<string, Route | readonly Route[]>>;

/** Declares routes. At startup, they are checked against the GraphQL schema. */
export const declareRoutes = (table: Routes): Routes => table;

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** Parsed key of a route. */
export interface RouteKey {
  readonly methods: readonly Method[];
  readonly path: string;
  readonly params: readonly string[];
}

/** Parses the key of a route. Returns null if the key does not have the format `METHOD /path/{param}`. */
export function routeKey(key: string): RouteKey | null {
  const [, names = '', path] = /^([A-Z|]+) (\/\S+)$/.exec(key) ?? [];
  const matches = names.split('|').map((name) => methods.find((method) => method === name));
  if (!path || matches.includes(undefined)) return null;
  return {
    methods: matches.filter((method) => method !== undefined),
    path,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  };
}

/** The routes of one method and path. */
export interface RouteEntry extends Omit<RouteKey, 'methods'> {
  readonly method: Method;
  readonly alternatives: readonly Route[];
}

/** Returns the entries of route tables, one per method and path. Ignores invalid keys. */
export const entriesOf = (tables: readonly Routes[]): RouteEntry[] =>
  tables
    .flatMap((table) => Object.entries(table))
    .flatMap(([name, entry]) => {
      const { methods = [], path = '', params = [] } = routeKey(name) ?? {};
      return methods.map((method) => ({ method, path, params, alternatives: [entry].flat() }));
    });

/** Returns a router that ignores trailing and duplicate slashes. */
export const createPathRouter = () =>
  findMyWay({ ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 16_384, onBadUrl: () => {} });

/** Returns the router pattern of a path: `/v1/teams/:uuid` for `/v1/teams/{uuid}`. */
export const routerPattern = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');
