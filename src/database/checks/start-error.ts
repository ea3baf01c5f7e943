import { loadConfig } from '../../config/index.js';
import { databaseProblem, hasSqlState, isDatabaseError } from './database-problem.js';
import { type DatabaseServer, databaseClientOf } from './database-server.js';

const embeddedServer: DatabaseServer = {
  host: '127.0.0.1',
  address: '127.0.0.1',
  user: 'courtside',
  database: 'courtside',
  variable: null,
};

/** Returns the configured database server, or the embedded one. Invalid configurations are reported elsewhere. */
function configuredServer(): DatabaseServer {
  try {
    const { databaseUrl } = loadConfig();
    return databaseUrl === null ? embeddedServer : databaseClientOf(databaseUrl, 'DATABASE_URL').server;
  } catch {
    return embeddedServer;
  }
}

/** Explains an error that prevented the start of the service, if the error comes from the database. Returns other errors unchanged. */
export const explainStartError = (error: unknown): unknown =>
  error instanceof Error && isDatabaseError(error) ? databaseProblem(error, configuredServer()) : error;

/**
 * Explains an error that ended a command, if the database server reported it. Commands check the connection to the database first, and some
 * also connect to other servers.
 */
export const explainCommandError = (error: unknown): unknown =>
  error instanceof Error && hasSqlState(error) ? databaseProblem(error, configuredServer()) : error;
