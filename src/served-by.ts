import type { Config } from './config.js';
import { modules } from './modules/index.js';
import { StartProblem } from './start-problem.js';

/** Names of the modules with a subgraph in this process. */
export function servedBy(wanted: Config['subgraphs']): string[] {
  const all = modules.map(({ name }) => name);
  if (wanted === 'all' || wanted === 'none') return wanted === 'all' ? all : [];
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length)
    throw new StartProblem(`SUBGRAPHS names no module of this service: ${unknown.join(', ')}. There are ${all.join(', ')}.`);
  return wanted;
}
