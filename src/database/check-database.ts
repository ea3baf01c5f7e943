import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../kernel/database-errors.js';
import { StartProblem } from '../process/start-problem.js';
import { databaseProblem } from './checks/database-problem.js';
import { type DatabaseServer, type DatabaseVariable, databaseClientOf } from './checks/database-server.js';
import { readServerInfo, type ServerInfo } from './checks/server-info-sql.js';

/** A server that responded to the check, and its state. */
interface CheckedServer {
  readonly server: DatabaseServer;
  readonly info: ServerInfo;
}

/**
 * Checks that the database is reachable, accepts the credentials, is writable and runs PostgreSQL 16 or newer. Throws a StartProblem
 * otherwise. `variable` is null for the embedded database.
 */
export async function checkDatabase(url: string, variable: DatabaseVariable | null = 'DATABASE_URL'): Promise<CheckedServer> {
  const checkedServer = await connectTo(url, variable, true);
  const { version, isReadOnly } = checkedServer.info;
  if (version < 160_000) {
    throw new StartProblem(
      `Courtside needs PostgreSQL 16 or newer, but the server at ${variable} runs version ${Math.floor(version / 10_000)}: upgrade the server.`,
    );
  }
  if (isReadOnly)
    throw new StartProblem(
      `${variable} refers to a read-only server: set ${variable} to the primary server, and DATABASE_REPLICA_URLS to its replicas.`,
    );
  return checkedServer;
}

const startingUpCode = '57P03';

/**
 * Whether the connection timed out. On a busy machine, the timer can fire even though the server has responded, so the caller tries once
 * more.
 */
const isTimeout = (error: unknown): boolean => error instanceof Error && error.message.includes('timeout expired');

/**
 * Connects to a server and reads its state. Throws a StartProblem if it cannot be used. With `isRequired`, waits while the server starts, and
 * tries again after a timeout.
 */
export async function connectTo(url: string, variable: DatabaseVariable | null, isRequired: boolean): Promise<CheckedServer> {
  for (let attempt = 1; ; attempt++) {
    const { client, server } = databaseClientOf(url, variable, isRequired ? 10_000 : 4_000);
    try {
      await client.connect();
      return { server, info: await readServerInfo(client) };
    } catch (error) {
      const attempts = errorCode(error) === startingUpCode ? 60 : isTimeout(error) ? 2 : 1;
      if (!isRequired || attempt >= attempts) throw error instanceof Error ? databaseProblem(error, server) : error;
      await sleep(500);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
