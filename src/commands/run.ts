#!/usr/bin/env node
import { nodeProblem } from '../process/node-version.js';

/** Runs the executable `courtside` and returns its exit code. */
async function run(args: readonly string[]): Promise<number> {
  const problem = nodeProblem();
  if (problem) {
    console.error(problem);
    return 1;
  }
  // The program is imported after the version check, because older Node.js versions cannot load its files.
  const { enableCompileCache } = await import('node:module');
  // The cache of compiled code saves a quarter of the startup time.
  enableCompileCache(`${import.meta.dirname}/../../compiled`);
  if (args[0] === '--version' || args[0] === '-v') {
    console.log((await import('../process/release.js')).release);
    return 0;
  }
  const { runProgram } = await import('./program.js');
  const { courtside } = await import('./courtside.js');
  return runProgram(courtside, args);
}

const code = await run(process.argv.slice(2));
// If the output could not be written, the exit code is already set.
process.exitCode ||= code;
