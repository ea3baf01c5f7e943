import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** `pg_dump` refuses servers that are newer than itself. */
const serverVersion = 18;

const debianDirectories = existsSync('/usr/lib/postgresql')
  ? readdirSync('/usr/lib/postgresql').flatMap((version) =>
      Number(version) >= serverVersion ? [`/usr/lib/postgresql/${version}/bin`] : [],
    )
  : [];

const directory = [process.env.POSTGRES_TOOLS ?? '', ...debianDirectories].find((candidate) =>
  existsSync(join(candidate, 'pg_dump')),
);

/** Why `pg_dump` and `psql` cannot be used, or null. */
export const missingPostgresTools =
  directory === undefined ? `needs pg_dump ${serverVersion} or newer: set POSTGRES_TOOLS (see .ci/install-postgres-tools)` : null;

/** Runs `pg_dump` or `psql` with SQL on standard input. Returns its standard output. */
export async function runPostgresTool(tool: 'pg_dump' | 'psql', args: string[], input = ''): Promise<string> {
  const running = execute(join(directory ?? '', tool), args, { maxBuffer: 1e9 });
  running.child.stdin?.end(input);
  return (await running).stdout;
}
