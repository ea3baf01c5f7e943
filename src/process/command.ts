import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A command of `courtside` or `npm run`. */
export interface Command {
  /** Text of `--help`, with examples. */
  readonly usage: string;
  /** Runs the command and returns its exit code. Throws `UsageError` or `StartProblem` for errors that the user can fix. */
  run(args: string[]): Promise<number>;
}

/** Error in the arguments of a command. It is printed with the usage of the command, and the exit code is 2. */
export class UsageError extends Error {}

/** Parses arguments. Throws a `UsageError` if they are invalid. */
export function parseArguments<const Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Removes the last part of the message, which explains how to pass arguments that start with a dash.
    throw new UsageError(
      error instanceof Error ? error.message.replace(/\. To specify .*$/s, '.').replaceAll('\n', ' ') : String(error),
    );
  }
}
