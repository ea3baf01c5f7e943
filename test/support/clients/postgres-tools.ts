import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Missing, programPath } from '../prerequisites.js';

const execute = promisify(execFile);

/** `pg_dump` rejects servers that are newer than itself. */
const serverVersion = 18;

const tools = ['psql', 'pg_dump', 'pg_restore', 'pg_basebackup'] as const;

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
  (candidate) => tools.every((tool) => versionOf(join(candidate, tool)) >= serverVersion),
);

/** Reason for skipping tests that run the client programs of PostgreSQL. Null if they are installed. */
export const missingPostgresTools: Missing | null =
  directory === undefined
    ? {
        reason: `needs the client programs of PostgreSQL ${serverVersion} or newer: set POSTGRES_TOOLS (see .ci/install-postgres-tools)`,
        isInstallable: true,
      }
    : null;

/** Runs a client program of PostgreSQL. Returns its standard output. */
export async function runPostgresTool(tool: (typeof tools)[number], ...args: string[]): Promise<string> {
  return (await execute(join(directory ?? '', tool), args, { maxBuffer: 1e9 })).stdout;
}
