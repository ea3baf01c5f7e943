import type { Reply } from './reply/replies.js';
import type { Args, Reader } from './request/reader.js';

/** Token that a route requires (section 4): A, U, A/U or none. */
export type Auth = 'platform' | 'user' | 'either' | 'anyone';

export const platform: Auth = 'platform';
export const user: Auth = 'user';
export const either: Auth = 'either';
export const anyone: Auth = 'anyone';

/** An operation of the legacy interface. */
export interface Route {
  readonly auth: Auth;
  /** Token that the route accepts although `auth` requires none. The route itself reports a missing token. */
  readonly acceptsToken?: Auth;
  /** Whether an invalid user token is rejected even with a valid platform token. Default: whether `auth` or `takes` permits users. */
  readonly actsForUser?: boolean;
  /** Path parameter that must be the user's own ID if there is only a user token (decision 10). */
  readonly ownUserParam?: string;
  /** Rejects publishable keys, even if the GraphQL policy permits them. */
  readonly rejectsKeys?: true;
  /** Condition of an alternative: it applies only if this value is present. */
  readonly when?: Reader;
  /** Sources of the operation's variables. A variable with the name of a path parameter needs no entry. */
  readonly args?: Args;
  /** GraphQL operation, without the definitions of record fragments. */
  readonly run: string;
  readonly reply: Reply;
  /** `next`: if the result is null, the next alternative runs instead of returning 404. */
  readonly onNull?: 'next';
  /** Responses are cached until a table changes that `cacheVersion` tracks. For public data only. */
  readonly isCached?: true;
  /** Responses have an ETag, and requests with a matching `If-None-Match` get 304. Cached responses always have an ETag. */
  readonly hasETag?: true;
  /** Summary for the reference. */
  readonly summary?: string;
}

/** Whether a route rejects requests with an invalid user token. */
export const readsUserToken = ({ auth, acceptsToken, actsForUser }: Route): boolean =>
  actsForUser ?? [auth, acceptsToken].some((letter) => letter === 'user' || letter === 'either');

/** Routes by method and path, such as `'GET /v1/data/teams/{uuid}'` or `'GET|POST /v1/sso/validate_token'`. An array has alternatives in order. */
export type Routes = Readonly<Record<string, Route | readonly Route[]>>;

/** Declares routes. They are checked against the schema at startup. */
export const routes = (table: Routes): Routes => table;

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** Parsed key of a route. */
export interface RouteKey {
  readonly methods: readonly Method[];
  readonly path: string;
  readonly params: readonly string[];
}

/** Parses a key. Null if it does not have the form `METHOD /path/{param}`. */
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

/** An operation by method and path. */
export interface Entry extends Omit<RouteKey, 'methods'> {
  readonly method: Method;
  readonly alternatives: readonly Route[];
}

/** All operations of tables. */
export const entriesOf = (tables: readonly Routes[]): Entry[] =>
  tables
    .flatMap((table) => Object.entries(table))
    .flatMap(([name, entry]) => {
      const { methods = [], path = '', params = [] } = routeKey(name) ?? {};
      return methods.map((method) => ({ method, path, params, alternatives: [entry].flat() }));
    });
