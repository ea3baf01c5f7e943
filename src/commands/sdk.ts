import { cp, readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, parseArguments, UsageError } from '../process/command.js';
import { createDirectory } from '../process/create-directory.js';
import { StartProblem } from '../process/start-problem.js';

const usage = `Usage: courtside sdk <directory>

Writes the TypeScript SDK, with clients for GraphQL and /v1, as the npm package courtside-sdk to an empty or new directory.

Examples:
  courtside sdk courtside-sdk
  npm publish ./courtside-sdk`;

/** Directory in which `npm run build` has built the package. */
const builtPackage = `${import.meta.dirname}/../sdk`;

const filesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);

async function run(args: string[]): Promise<number> {
  const [directory, ...rest] = parseArguments({ args, allowPositionals: true }).positionals;
  if (directory === undefined || rest.length > 0) throw new UsageError('Expected exactly one directory.');
  if (!(await filesIn(builtPackage)).includes('package.json'))
    throw new StartProblem('This build does not contain the SDK. To build it, run "npm run build" in a checkout.');
  if ((await filesIn(directory)).length > 0) throw new StartProblem(`The directory ${resolve(directory)} is not empty.`);
  await createDirectory(directory);
  await cp(builtPackage, directory, { recursive: true });
  console.log(`Wrote the package courtside-sdk to ${resolve(directory)}.`);
  return 0;
}

export const command: Command = { usage, run };
