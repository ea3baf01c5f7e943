import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Missing, programPath } from '../prerequisites.js';

const execute = promisify(execFile);

/** `pg_dump` rejects servers that are newer than itself. */
const serverVersion = 18;

const debianDirectories = existsSync('/usr/lib/postgresql')
  ? readdirSync('/usr/lib/postgresql').flatMap((version) =>
      Number(version) >= serverVersion ? [`/usr/lib/postgresql/${version}/bin`] : [],
    )
  : [];

/** Returns the major version of a PostgreSQL program, or 0 if the program does not run. */
function versionOf(path: string): number {
  try {
    return Number(/ (\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[1]);
  } catch {
    return 0;
  }
}

const directory = [process.env.POSTGRES_TOOLS ?? '', ...debianDirectories, dirname(programPath('pg_dump') ?? '')].find(
  (candidate) => ['pg_dump', 'psql'].every((tool) => versionOf(join(candidate, tool)) >= serverVersion),
);

/** Reason for skipping tests that run `pg_dump` and `psql`. Null if both are installed. */
export const missingPostgresTools: Missing | null =
  directory === undefined
    ? {
        reason: `needs pg_dump ${serverVersion} or newer: set POSTGRES_TOOLS (see .ci/install-postgres-tools)`,
        isInstallable: true,
      }
    : null;

/** Runs `pg_dump` or `psql` with SQL on standard input. Returns its standard output. */
export async function runPostgresTool(tool: 'pg_dump' | 'psql', args: string[], input = ''): Promise<string> {
  const running = execute(join(directory ?? '', tool), args, { maxBuffer: 1e9 });
  running.child.stdin?.end(input);
  return (await running).stdout;
}
