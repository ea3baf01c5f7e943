import { legacyRecords, legacyRoutes } from '../../compat/index.js';
import { combinedCalls } from '../../compat/reference/combined-calls.js';
import { createReplacementFinder, type Replaceable } from '../../compat/reference/replacements.js';
import { graphOfModules } from '../graphql/graph.js';
import type { LegacyRoutes } from '../modules/usage/legacy-routes.js';
import { graphiqlPath, referencePath } from '../pages/operation-paths.js';

let findRoute: ((pattern: string) => Replaceable | null) | undefined;

/**
 * Finds the `/v1` route of a request or pattern, with the GraphQL operations that replace it. Builds the full graph, even in a
 * process that serves a single module.
 */
export function replaceableRouteOf(pattern: string): Replaceable | null {
  findRoute ??= createReplacementFinder(graphOfModules(), legacyRoutes, legacyRecords);
  return findRoute(pattern);
}

/** Returns the route that has exactly this pattern, or null. The call counts of `/v1` are keyed by pattern. */
const routeOf = (pattern: string): Replaceable | null => {
  const route = replaceableRouteOf(pattern);
  return route?.route === pattern ? route : null;
};

/** Routes of `/v1` for the modules, which must not import the legacy interface. */
export const routesForModules: LegacyRoutes = {
  find(pattern) {
    const legacyRoute = routeOf(pattern);
    if (!legacyRoute) return null;
    const { route, name, calls } = legacyRoute;
    return { route, operation: name, calls, referencePath: referencePath(name), graphiqlPath: graphiqlPath(name) };
  },
  replacementFor(patterns) {
    const routes = (patterns.length === 1 ? [...patterns, ...patterns] : patterns).flatMap((pattern) => routeOf(pattern) ?? []);
    const reads = routes.filter(({ calls }) => calls.every(({ document }) => document.startsWith('query')));
    if (reads.length < patterns.length) return null;
    return {
      graphiqlPath: graphiqlPath(...routes.map(({ name }) => name)),
      // Computed on access, because the computation takes a millisecond and its result is seldom needed.
      get calls() {
        return combinedCalls(routes).map(({ when, document, calls }) => ({
          when,
          document,
          rootFields: [...new Set(calls.flatMap(({ rootFields }) => rootFields))],
        }));
      },
    };
  },
};
