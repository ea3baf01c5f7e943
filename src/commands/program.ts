import { type Command, UsageError } from '../process/command.js';
import { StartProblem } from '../process/start-problem.js';

/** A command in the command list of a program. */
export interface ListedCommand {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Loads the command. Commands are loaded when they run, because loading all of them is slow. */
  readonly load: () => Promise<{ command: Command }>;
}

/** A program with commands, such as `courtside`. */
export interface Program {
  readonly name: string;
  readonly description: string;
  /** Commands, keyed by name. */
  readonly commands: Readonly<Record<string, ListedCommand>>;
  /** Text after the list of commands. */
  readonly footer: string;
}

/** Returns the text of `--help`. */
export function programUsage({ name, description, commands, footer }: Program): string {
  const width = Math.max(...Object.keys(commands).map(({ length }) => length));
  const lines = Object.entries(commands).map(([command, { summary }]) => `  ${command.padEnd(width)}  ${summary}`);
  return `Usage: ${name} <command> [options]\n\n${description}\n\nCommands:\n${lines.join('\n')}\n\n${footer}`;
}

/** Returns a hint with the most similar command name. Empty if no command name is similar. */
async function suggestion(name: string, names: readonly string[]): Promise<string> {
  const { suggestionList } = await import('graphql/jsutils/suggestionList.js');
  const [nearest] = suggestionList(name, names);
  return nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
}

const isHelp = (argument: string): boolean => argument === '--help' || argument === '-h';

function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

async function loadCommand(name: string, { load }: ListedCommand): Promise<Command> {
  try {
    return (await load()).command;
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
    throw new StartProblem(`The command ${name} needs development dependencies. To install them, run "npm install".`);
  }
}

/**
 * Ignores output after its reader has closed the pipe, as `head` does, so that the command ends without an error. Reports other errors, such as a
 * full disk.
 */
function handleOutputErrors(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 1;
    console.error(`The output cannot be written (${error.code}).`);
  });
}

/** Runs the command that the arguments name. Returns its exit code, or 2 for invalid arguments. Errors that the user can fix are printed. */
export async function runProgram(program: Program, [name, ...args]: readonly string[]): Promise<number> {
  handleOutputErrors();
  if (name === undefined || isHelp(name)) {
    console.log(programUsage(program));
    return 0;
  }
  const listed = Object.hasOwn(program.commands, name) ? program.commands[name] : undefined;
  if (!listed) {
    const hint = await suggestion(name, Object.keys(program.commands));
    console.error(`Unknown command ${JSON.stringify(name)}.${hint} To list all commands, run "${program.name} --help".`);
    return 2;
  }
  try {
    const command = await loadCommand(name, listed);
    if (args.some(isHelp)) {
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
  } catch (error) {
    const { explainCommandError } = await import('../database/checks/start-error.js');
    const problem = explainCommandError(error);
    if (!(problem instanceof StartProblem)) throw problem;
    console.error(problem.message);
    return 1;
  }
}
