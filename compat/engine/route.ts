import type { Reply } from './reply/replies.js';
import type { Args, Reader } from './request/reader.js';

/** Which token opens a route (section 4): A, U, A/U, or none. */
export type Auth = 'platform' | 'user' | 'either' | 'anyone';

export const platform: Auth = 'platform';
export const user: Auth = 'user';
export const either: Auth = 'either';
export const anyone: Auth = 'anyone';

/** One operation of the legacy interface. */
export interface Route {
  readonly auth: Auth;
  /** Which token it takes all the same, where it opens without one to say itself that it is missing. */
  readonly takes?: Auth;
  /** Whether a dead user token closes the route although a platform token is valid. Default: whether `auth` or `takes` admits users. */
  readonly actsForUser?: boolean;
  /** A user token alone opens only the path whose parameter of this name is the user's own id (decision 10). */
  readonly own?: string;
  /** A publishable key doesn't open it, although visitors may read some of what it asks for. */
  readonly withoutKey?: true;
  /** Among alternatives: this one answers only when the value is present. */
  readonly when?: Reader;
  /** Where the operation's variables come from. A variable that is named like a path parameter needs no entry. */
  readonly args?: Args;
  /** The GraphQL operation, with the fragments of the records that it spreads left out. */
  readonly run: string;
  readonly reply: Reply;
  /** Among alternatives: null goes on to the next one instead of answering 404. */
  readonly onNull?: 'next';
  /** Answers are kept and given again until one of the tables changes that `keptVersion` of the graph follows: for what everybody may read. */
  readonly keep?: true;
  /** Answers are made each time, and not sent to clients that have them. Those that are kept are not either. */
  readonly tag?: true;
  /** One line for the reference pages. */
  readonly summary?: string;
}

/** Whether a dead user token closes a route. */
export const readsUserToken = ({ auth, takes, actsForUser }: Route): boolean =>
  actsForUser ?? [auth, takes].some((letter) => letter === 'user' || letter === 'either');

/** Routes by method and path: `'GET /v1/data/teams/{uuid}'`, `'GET|POST /v1/sso/validate_token'`. An array holds alternatives, tried in order. */
export type Routes = Readonly<Record<string, Route | readonly Route[]>>;

/** Declares routes. They are checked against the graph when the service starts. */
export const routes = (table: Routes): Routes => table;

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** A route's key taken apart. */
export interface RouteKey {
  readonly methods: readonly Method[];
  readonly path: string;
  readonly params: readonly string[];
}

/** Null when the key is not of the form `METHOD /path/{param}`. */
export function routeKey(key: string): RouteKey | null {
  const [, names = '', path] = /^([A-Z|]+) (\/\S+)$/.exec(key) ?? [];
  const found = names.split('|').map((name) => methods.find((method) => method === name));
  if (!path || found.includes(undefined)) return null;
  return {
    methods: found.filter((method) => method !== undefined),
    path,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  };
}

/** An operation as one finds it: a method and a path. */
export interface Entry extends Omit<RouteKey, 'methods'> {
  readonly method: Method;
  readonly alternatives: readonly Route[];
}

/** Every operation of some tables. */
export const entriesOf = (tables: readonly Routes[]): Entry[] =>
  tables
    .flatMap((table) => Object.entries(table))
    .flatMap(([name, entry]) => {
      const { methods = [], path = '', params = [] } = routeKey(name) ?? {};
      return methods.map((method) => ({ method, path, params, alternatives: [entry].flat() }));
    });
