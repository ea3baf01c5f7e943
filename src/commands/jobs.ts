import { loadConfig } from '../config/index.js';
import { checkDatabase } from '../database/check-database.js';
import { runningEmbedded } from '../database/embedded-server.js';
import { type DeadLetters, openDeadLetters, type StuckMessage } from '../messaging/dead-letters.js';
import { type Command, parseArguments, UsageError } from '../process/command.js';
import { quantity } from '../process/quantity.js';
import { StartProblem } from '../process/start-problem.js';

const usage = `Usage: courtside jobs list
       courtside jobs retry <id | all>

Lists emails and text messages that could not be sent, and sends them again.

Actions:
  list         List failed messages: "retrying" if another attempt follows, "dead" after the last attempt.
  retry <id>   Send a dead message again.
  retry all    Send all dead messages again.

The database is DATABASE_URL, or else the running embedded database.

Examples:
  courtside jobs list
  courtside jobs retry 01987c1e-4c5f-7b1d-9d0a-2f6c1c0b7a11

Exit codes: 0 for success, 1 for an error, 2 for invalid arguments.`;

/** Runs an action and returns the exit code: 1 if no dead message has the ID. Throws a `UsageError` for invalid arguments. */
export async function runJobs(operator: DeadLetters, args: string[], print: (line: string) => void): Promise<number> {
  const [action, id, ...rest] = args;
  if (action === 'list' && id === undefined) {
    const messages = await operator.list();
    print(messages.length > 0 ? table(messages) : 'No failed messages.');
    return 0;
  }
  if (action === 'retry' && id !== undefined && rest.length === 0 && /^(all|[0-9a-f-]{36})$/.test(id)) {
    const count = await operator.retry(id);
    const isUnknown = count === 0 && id !== 'all';
    print(isUnknown ? `There is no dead message with ID ${id}.` : `${quantity(count, 'message')} queued again.`);
    return isUnknown ? 1 : 0;
  }
  throw new UsageError(action === undefined ? 'Missing action.' : `Invalid action: ${args.join(' ')}.`);
}

const columns = ['id', 'kind', 'state', 'recipient', 'attempts', 'when', 'error'] as const satisfies (keyof StuckMessage)[];

function table(messages: StuckMessage[]): string {
  const rows = [[...columns], ...messages.map((message) => columns.map((column) => String(message[column])))];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

async function run(args: string[]): Promise<number> {
  const { positionals } = parseArguments({ args, allowPositionals: true });
  const config = loadConfig();
  const url = config.databaseUrl ?? (await runningEmbedded(config.dataDir));
  if (!url) throw new StartProblem('No database is running. Start the service, or set DATABASE_URL.');
  await checkDatabase(url);
  const operator = await openDeadLetters(url);
  try {
    return await runJobs(operator, positionals, (line) => console.log(line));
  } finally {
    await operator.close();
  }
}

export const command: Command = { usage, run };
