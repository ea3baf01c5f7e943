import { createPathRouter, entriesOf, methods, type RouteEntry, routerPattern } from '../../../compat/engine/route.js';
import { legacyRoutes } from '../../../compat/index.js';

/** Route that a request to the legacy interface matches. */
export interface RouteMatch {
  /** Method and path, such as `GET /v1/data/teams/{uuid}`. Null if there is no such route. */
  readonly name: string | null;
  /** Whether the request may change data. For a path without a route, the method determines it. */
  readonly isWrite: boolean;
  /** Path parameters, keyed by name. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

const isMutation = ({ alternatives }: RouteEntry) => alternatives.some(({ operation }) => /^\s*mutation\b/.test(operation));

/** Returns a function that finds the route of a request to the legacy interface. */
export function createRouteFinder(): (method: string, url: string) => RouteMatch {
  const router = createPathRouter();
  for (const entry of entriesOf(legacyRoutes)) {
    const name = `${entry.method} ${entry.path}`;
    router.on(entry.method, routerPattern(entry.path), () => {}, { name, isWrite: entry.method !== 'GET' || isMutation(entry) });
  }
  return (method, url) => {
    const httpMethod = methods.find((candidate) => candidate === (method === 'HEAD' ? 'GET' : method));
    const match = httpMethod ? router.find(httpMethod, url) : null;
    const isRead = method === 'GET' || method === 'HEAD';
    // A HEAD request changes nothing, even if a GET request to the same path does.
    const isWrite = method === 'HEAD' ? false : (match?.store?.isWrite ?? !isRead);
    return { name: match?.store?.name ?? null, isWrite, params: match?.params ?? {} };
  };
}
