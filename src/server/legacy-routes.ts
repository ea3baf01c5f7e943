import { legacyRecords, legacyRoutes } from '../../compat/index.js';
import { joinedCalls } from '../../compat/reference/joined-calls.js';
import { type Replaceable, replacements } from '../../compat/reference/replacements.js';
import { graphOfModules } from '../graphql/graph.js';
import type { LegacyRoutes } from '../modules/usage/legacy-routes.js';
import { graphiqlPath, referencePath } from '../pages/operation-paths.js';

let findRoute: ((pattern: string) => Replaceable | null) | undefined;

/**
 * Finds the `/v1` route of a request or pattern, with the GraphQL operation that replaces it. Builds the full graph, even in a
 * process that serves one module.
 */
export function replaceable(pattern: string): Replaceable | null {
  findRoute ??= replacements(graphOfModules(), legacyRoutes, legacyRecords);
  return findRoute(pattern);
}

/** The route of a pattern, as used in the call counts. */
const routeOf = (pattern: string): Replaceable | null => {
  const match = replaceable(pattern);
  return match?.route === pattern ? match : null;
};

/** The interface for modules, which do not depend on the legacy interface. */
export const routesForModules: LegacyRoutes = {
  find(called) {
    const match = routeOf(called);
    if (!match) return null;
    const { route, name, calls } = match;
    return { route, operation: name, calls, referencePath: referencePath(name), graphiqlPath: graphiqlPath(name) };
  },
  replacementFor(called) {
    const all = (called.length === 1 ? [...called, ...called] : called).flatMap((pattern) => routeOf(pattern) ?? []);
    const reads = all.filter(({ calls }) => calls.every(({ document }) => document.startsWith('query')));
    if (reads.length < called.length) return null;
    return {
      graphiqlPath: graphiqlPath(...all.map(({ name }) => name)),
      // Computed on access, because it takes a millisecond and is seldom needed.
      get calls() {
        return joinedCalls(all).map(({ when, document, calls }) => ({
          when,
          document,
          rootFields: [...new Set(calls.flatMap(({ rootFields }) => rootFields))],
        }));
      },
    };
  },
};
