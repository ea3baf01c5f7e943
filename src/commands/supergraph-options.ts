import { parseArgs } from 'node:util';
import { modules } from '../modules/index.js';
import { StartProblem } from '../start-problem.js';
import { type EngineName, engineNames, isEngine } from './gateway/engines.js';

const usage = `npm run supergraph -- --engine ${engineNames.join(' | ')} --processes 1…${modules.length}`;

/** Who plans, and the modules that share a process, as the command line says; else the first engine, and a process for each module. */
export function supergraphOptions(args: string[]): { engine: EngineName; shares: string[][] } {
  const { engine, processes } = valuesOf(args);
  const count = Number(processes);
  if (!isEngine(engine) || !Number.isInteger(count) || count < 1 || count > modules.length) throw new StartProblem(usage);
  const shares = Array.from({ length: count }, (_, index) =>
    modules.filter((__, place) => place % count === index).map(({ name }) => name),
  );
  return { engine, shares };
}

function valuesOf(args: string[]) {
  try {
    return parseArgs({
      args,
      options: { engine: { type: 'string', default: 'hive' }, processes: { type: 'string', default: String(modules.length) } },
    }).values;
  } catch {
    throw new StartProblem(usage);
  }
}
