import { type Command, UsageError } from '../process/command.js';
import { nodeProblem } from '../process/node-version.js';
import { StartProblem } from '../process/start-problem.js';

/** Commands, keyed by name. Each command is loaded when it runs, because older Node.js versions cannot load all of them. */
const commands: ReadonlyMap<string, () => Promise<{ command: Command }>> = new Map([
  ['admin', () => import('./admin.js')],
  ['dev', () => import('./dev.js')],
  ['doctor', () => import('./doctor.js')],
  ['jobs', () => import('./jobs.js')],
  ['migrate', () => import('./migrate.js')],
  ['migration', () => import('./migration.js')],
  ['record', () => import('./record.js')],
  ['replay', () => import('./replay.js')],
  ['schema', () => import('./schema.js')],
  ['sdk', () => import('./sdk.js')],
  ['supergraph', () => import('./supergraph/index.js')],
]);

const names = [...commands.keys()].join(', ');

function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

async function load(name: string): Promise<Command> {
  const loadModule = commands.get(name);
  if (!loadModule) throw new StartProblem(`Unknown command ${JSON.stringify(name)}. Commands: ${names}.`);
  try {
    return (await loadModule()).command;
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
    throw new StartProblem(`The command ${name} needs development dependencies. To install them, run "npm install".`);
  }
}

/** Runs a command and returns its exit code, or 2 for invalid arguments. Throws a `StartProblem` if the command cannot run. */
async function run([name = '', ...args]: string[]): Promise<number> {
  const problem = nodeProblem();
  if (problem) throw new StartProblem(problem);
  // The cache of compiled code saves a quarter of the startup time. Older Node.js versions, which the check above rejects, lack this function.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(`${import.meta.dirname}/../../compiled`);
  const command = await load(name);
  if (args.includes('--help') || args.includes('-h')) {
    console.log(command.usage);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${command.usage}`);
    return 2;
  }
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const { explainStartError } = await import('../database/checks/start-error.js');
  const problem = explainStartError(error);
  if (!(problem instanceof StartProblem)) throw problem;
  console.error(problem.message);
  process.exitCode = 1;
}
