import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buildService } from './service-process.js';

/** A command of the project that runs as a separate process. */
export interface Command {
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** Exit code, or the name of the signal that ended the process. */
  exit: Promise<number | string>;
}

/** Built programs: the executable `courtside`, and the commands for contributors. */
const programs = { courtside: 'dist/src/commands/run.js', development: 'dist/development/run.js' } as const;

/** Starts a built command in the same way as `npm run`. */
export async function startCommand(
  name: string,
  args: string[],
  env: Record<string, string> = {},
  program: keyof typeof programs = 'courtside',
): Promise<Command> {
  await buildService();
  const child = spawn(process.execPath, [programs[program], name, ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exit = once(child, 'close').then(([code, signal]) => code ?? signal);
  return { output: () => output, signal: (name) => child.kill(name), exit };
}

/** Runs a command until it exits. Returns its exit code and output. */
export async function runCommand(name: string, args: string[], env: Record<string, string> = {}) {
  const command = await startCommand(name, args, env);
  const code = await command.exit;
  return { code, output: command.output() };
}
