import type { Config } from '../config/index.js';
import { modules } from '../modules/index.js';
import { StartProblem } from '../process/start-problem.js';

/** Names of the modules with a subgraph in this process. */
export function servedBy(selection: Config['subgraphs']): string[] {
  const moduleNames = modules.map(({ name }) => name);
  if (selection === 'all' || selection === 'none') return selection === 'all' ? moduleNames : [];
  const unknownNames = selection.filter((name) => !moduleNames.includes(name));
  if (unknownNames.length)
    throw new StartProblem(
      `SUBGRAPHS contains unknown modules: ${unknownNames.join(', ')}. Available modules: ${moduleNames.join(', ')}.`,
    );
  return selection;
}
