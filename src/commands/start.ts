import { join } from 'node:path';
import { environmentWith } from '../config/index.js';
import { type Command, parseArguments } from '../process/command.js';
import { nodeFlags } from '../server/lifecycle/node-flags.js';

const usage = `Usage: courtside start

Starts the service. Environment variables configure it: see docs/configuration.md. SIGTERM and Ctrl-C stop it.

Examples:
  DATABASE_URL=postgresql://… NODE_ENV=production courtside start
  PORT=4100 courtside start`;

/** Entry file of the service, relative to the directory of bundled modules. */
const entry = join(import.meta.dirname, '../src/main.js');

async function run(args: string[]): Promise<number> {
  parseArguments({ args });
  const flags = [...process.execArgv, '--enable-source-maps', ...nodeFlags];
  // Replaces this process, because Node reads the flags only at startup. A child process would need additional memory and would have to
  // forward signals. Windows cannot replace processes, so the service starts without the flags. Before Node 22.22 and 24.5, the new process gets no
  // environment unless it is passed.
  process.execve?.(process.execPath, [process.execPath, ...flags, entry], environmentWith({}));
  await import(entry);
  return 0;
}

export const command: Command = { usage, run };
