import { legacyRecords, legacyRoutes } from '../compat/index.js';
import { joinedCalls } from '../compat/reference/joined-calls.js';
import { type Replaceable, replacements } from '../compat/reference/replacements.js';
import { graphOfModules } from './gateway/graph.js';
import type { LegacyRoutes } from './modules/usage/legacy-routes.js';
import { graphiqlPath, referencePath } from './pages/operation-paths.js';

let known: ((called: string) => Replaceable | null) | undefined;

/** The routes of `/v1` by what they are called, with the GraphQL that they run. The whole graph is built for it, also where one module is served. */
export function replaceable(called: string): Replaceable | null {
  known ??= replacements(graphOfModules(), legacyRoutes, legacyRecords);
  return known(called);
}

/** A route by what it is called in the counts of its calls. */
const routeOf = (called: string): Replaceable | null => {
  const found = replaceable(called);
  return found?.route === called ? found : null;
};

/** The same, as modules know it, which know nothing of the legacy interface. */
export const routesForModules: LegacyRoutes = {
  of(called) {
    const found = routeOf(called);
    if (!found) return null;
    const { route, name, calls } = found;
    return { route, operation: name, calls, referencePath: referencePath(name), graphiqlPath: graphiqlPath(name) };
  },
  asOne(called) {
    const all = (called.length === 1 ? [...called, ...called] : called).flatMap((each) => routeOf(each) ?? []);
    const reads = all.filter(({ calls }) => calls.every(({ document }) => document.startsWith('query')));
    if (reads.length < called.length) return null;
    return {
      graphiqlPath: graphiqlPath(...all.map(({ name }) => name)),
      // Takes a millisecond, which nobody pays who only wants to know what is called together.
      get calls() {
        return joinedCalls(all).map(({ when, document, of }) => ({
          when,
          document,
          rootFields: [...new Set(of.flatMap(({ rootFields }) => rootFields))],
        }));
      },
    };
  },
};
