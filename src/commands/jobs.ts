import { configWarnings, loadConfig } from '../config/index.js';
import { checkDatabase } from '../database/check-database.js';
import { runningEmbeddedUrl } from '../database/embedded-server.js';
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

/** An action with its arguments. `retry` sends one dead message again, or all of them if `id` is `all`. */
type Action = { readonly kind: 'list' } | { readonly kind: 'retry'; readonly id: string };

/** Parses the arguments. Throws a `UsageError` if they are invalid. */
function actionOf(args: string[]): Action {
  const [kind, id, ...rest] = args;
  if (kind === 'list' && id === undefined) return { kind };
  if (kind === 'retry' && id !== undefined && rest.length === 0 && /^(all|[0-9a-f-]{36})$/.test(id)) return { kind, id };
  throw new UsageError(kind === undefined ? 'Missing action.' : `Invalid action: ${args.join(' ')}.`);
}

/** Runs an action and returns the exit code: 1 if no dead message has the ID. Throws a `UsageError` for invalid arguments. */
export async function runJobs(operator: DeadLetters, args: string[], print: (line: string) => void): Promise<number> {
  const action = actionOf(args);
  if (action.kind === 'list') {
    const messages = await operator.list();
    print(messages.length > 0 ? table(messages) : 'No failed messages.');
    return 0;
  }
  const count = await operator.retry(action.id);
  const isUnknown = count === 0 && action.id !== 'all';
  print(isUnknown ? `There is no dead message with ID ${action.id}.` : `${quantity(count, 'message')} queued again.`);
  return isUnknown ? 1 : 0;
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
  // The arguments are checked before the command connects to the database.
  actionOf(positionals);
  const config = loadConfig();
  const url = config.databaseUrl ?? (await runningEmbeddedUrl(config.dataDir));
  if (!url) throw new StartProblem('No database is running. Start the service, or set DATABASE_URL.', ...configWarnings());
  await checkDatabase(url, config.databaseUrl === null ? null : 'DATABASE_URL');
  const operator = await openDeadLetters(url);
  try {
    return await runJobs(operator, positionals, (line) => console.log(line));
  } finally {
    await operator.close();
  }
}

export const command: Command = { usage, run };
