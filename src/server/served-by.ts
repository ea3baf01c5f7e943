import type { Config } from '../config/index.js';
import { modules } from '../modules/index.js';
import { StartProblem } from '../process/start-problem.js';

/** Names of the modules with a subgraph in this process. */
export function servedBy(selection: Config['subgraphs']): string[] {
  const all = modules.map(({ name }) => name);
  if (selection === 'all' || selection === 'none') return selection === 'all' ? all : [];
  const unknownNames = selection.filter((name) => !all.includes(name));
  if (unknownNames.length)
    throw new StartProblem(`SUBGRAPHS contains unknown modules: ${unknownNames.join(', ')}. Known modules: ${all.join(', ')}.`);
  return selection;
}
