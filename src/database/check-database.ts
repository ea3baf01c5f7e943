import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { errorCode } from '../kernel/database-errors.js';
import { connectionOptions } from '../kernel/primary-host.js';
import { StartProblem } from '../process/start-problem.js';

/** Checks that the database is reachable, accepts the credentials, is writable and runs PostgreSQL 16 or newer. Throws a StartProblem otherwise. */
export async function checkDatabase(url: string): Promise<void> {
  const { version, readonly } = await readServerInfo(url);
  if (version < 160_000) {
    throw new StartProblem(
      `Courtside needs PostgreSQL 16 or newer, but the server at DATABASE_URL runs version ${Math.floor(version / 10_000)}: upgrade the server.`,
    );
  }
  if (readonly)
    throw new StartProblem(
      'DATABASE_URL refers to a read-only server: set DATABASE_URL to the primary server, and DATABASE_REPLICA_URLS to its replicas.',
    );
}

async function readServerInfo(url: string): Promise<{ version: number; readonly: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const client = createClient(url);
    try {
      await client.connect();
      const { rows } = await client.query(
        "select current_setting('server_version_num')::int as version, current_setting('transaction_read_only') = 'on' as readonly",
      );
      return rows[0];
    } catch (error) {
      const code = errorCode(error);
      const attempts = code === startingUpCode ? 60 : isTimeout(error) ? 2 : 1;
      if (attempt >= attempts) throw new StartProblem(problemText(code, error, client));
      await sleep(500);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function createClient(url: string): Client {
  try {
    // Ignores errors of a connection that breaks while it closes. An unhandled error would end the process.
    return new Client({ ...connectionOptions(url), connectionTimeoutMillis: 10_000 }).on('error', () => undefined);
  } catch {
    throw new StartProblem(
      'DATABASE_URL is invalid: expected postgresql://user:password@host:5432/database, with special characters percent-encoded.',
    );
  }
}

const startingUpCode = '57P03';

/**
 * Whether the connection timed out. On a busy machine, the timer can fire even though the server has responded, so the caller tries once
 * more.
 */
const isTimeout = (error: unknown): boolean => error instanceof Error && error.message.includes('timeout expired');

function problemText(code: string, error: unknown, { host, port, user, database }: Client): string {
  const server = `${host}:${port}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `PostgreSQL does not respond at ${server}: start it, or correct DATABASE_URL.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${host} in DATABASE_URL is unknown: correct DATABASE_URL.`;
    case '28P01':
    case '28000':
      return `PostgreSQL at ${server} rejects the login of ${user}: correct the user and the password in DATABASE_URL.`;
    case '3D000':
      return `The database ${database} does not exist at ${server}: create it, or correct DATABASE_URL.`;
    default:
      return `PostgreSQL at ${server} cannot be used (${error instanceof Error ? error.message : error}): check DATABASE_URL.`;
  }
}
