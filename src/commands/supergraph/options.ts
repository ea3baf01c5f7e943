import { modules } from '../../modules/index.js';
import { parseArguments, UsageError } from '../../process/command.js';
import { type EngineName, engineNames, isEngine } from './gateway/engines.js';

export const supergraphUsage = `Usage: npm run supergraph [-- options]

Starts all subgraphs in separate processes, and a gateway that serves the supergraph at http://localhost:4000/graphql. Use it for
development. In production, use a router. The database is DATABASE_URL, or else the embedded database. Press Ctrl-C to stop.

Options:
  --engine <name>       Query planner of the gateway: ${engineNames.join(', ')}. Default: ${engineNames[0]}.
  --processes <number>  Number of processes that share the subgraphs: 1 to ${modules.length}. Default: ${modules.length}, one per subgraph.
  --help                Show this help.

Examples:
  npm run supergraph
  npm run supergraph -- --engine apollo --processes 2`;

/** Parses the arguments into the engine and the modules of each process. Throws a `UsageError` if they are invalid. */
export function supergraphOptions(args: string[]): { engine: EngineName; modulesByProcess: string[][] } {
  const { engine, processes } = parseArguments({
    args,
    options: { engine: { type: 'string', default: 'hive' }, processes: { type: 'string', default: String(modules.length) } },
  }).values;
  if (!isEngine(engine))
    throw new UsageError(`--engine: expected one of ${engineNames.join(', ')}, but got ${JSON.stringify(engine)}.`);
  const count = Number(processes);
  if (!Number.isInteger(count) || count < 1 || count > modules.length)
    throw new UsageError(`--processes: expected an integer from 1 to ${modules.length}, but got ${JSON.stringify(processes)}.`);
  const modulesByProcess = Array.from({ length: count }, (_, process) =>
    modules.filter((__, index) => index % count === process).map(({ name }) => name),
  );
  return { engine, modulesByProcess };
}
