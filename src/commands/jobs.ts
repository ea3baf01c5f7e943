import { loadConfig } from '../config.js';
import { runningEmbedded } from '../database/embedded-running.js';
import { type Operator, openDeadLetters, type StuckMessage } from '../messaging/dead-letters.js';
import { StartProblem } from '../start-problem.js';

const usage = `npm run jobs -- list               messages that failed: given up (dead), or to be tried again by themselves (retrying)
npm run jobs -- retry <id> | all   send dead messages again`;

/** Does what the arguments say and answers the exit code. */
export async function runJobs(operator: Operator, args: string[], print: (line: string) => void): Promise<number> {
  const [verb, which, ...rest] = args;
  if (verb === 'list' && which === undefined) {
    const messages = await operator.list();
    print(messages.length > 0 ? table(messages) : 'All messages have left, or are on their way.');
    return 0;
  }
  if (verb === 'retry' && which !== undefined && rest.length === 0 && /^(all|[0-9a-f-]{36})$/.test(which)) {
    const moved = await operator.retry(which);
    print(moved === 0 && which !== 'all' ? `There is no dead message ${which}.` : `${moved} to be sent again.`);
    return moved === 0 && which !== 'all' ? 1 : 0;
  }
  print(usage);
  return 1;
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

async function main(): Promise<void> {
  try {
    const config = loadConfig();
    const url = config.databaseUrl ?? (await runningEmbedded(config.dataDir));
    if (!url) throw new StartProblem('Start the service first, or set DATABASE_URL to its database.');
    const operator = await openDeadLetters(url);
    try {
      process.exitCode = await runJobs(operator, process.argv.slice(2), (line) => console.log(line));
    } finally {
      await operator.close();
    }
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

if (import.meta.main) await main();
