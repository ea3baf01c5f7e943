import { postgresUrl } from '../../config/values.js';
import { UsageError } from '../../process/command.js';
import { checkDatabase } from '../check-database.js';
import { databaseProblem, isDatabaseError } from './database-problem.js';
import type { DatabaseVariable } from './database-server.js';

/** Throws a UsageError if the value of the option `--database-url` is invalid. Never repeats the value, which can contain a password. */
export function checkDatabaseOption(url: string | undefined): void {
  const issue = url === undefined ? undefined : postgresUrl.safeParse(url).error?.issues[0];
  if (issue) throw new UsageError(`--database-url ${issue.message}.`);
}

/**
 * Checks the database that a command uses, and then runs the command. Explains errors that come from the database or from a connection to
 * it. `variable` is null for the embedded database.
 */
export async function withCheckedDatabase<T>(url: string, variable: DatabaseVariable | null, work: () => Promise<T>): Promise<T> {
  const { server } = await checkDatabase(url, variable);
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error && isDatabaseError(error) ? databaseProblem(error, server) : error;
  }
}
