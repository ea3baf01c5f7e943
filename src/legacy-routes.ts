import { legacyRecords, legacyRoutes } from '../compat/index.js';
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

/** The same, as modules know it, which know nothing of the legacy interface. */
export const routesForModules: LegacyRoutes = (called) => {
  const found = replaceable(called);
  if (found?.route !== called) return null;
  const { route, name, calls } = found;
  return { route, operation: name, calls, referencePath: referencePath(name), graphiqlPath: graphiqlPath(name) };
};
