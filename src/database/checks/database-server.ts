import { Client } from 'pg';
import { connectionOptions, hostsOf } from '../../kernel/primary-host.js';
import { StartProblem } from '../../process/start-problem.js';

/** Variables that contain connection strings, and the option of commands that replaces `DATABASE_URL`. */
export type DatabaseVariable = 'DATABASE_URL' | 'DATABASE_REPLICA_URLS' | 'DATABASE_LISTEN_URL' | '--database-url';

/** A database server, as error messages describe it. Contains no password. */
export interface DatabaseServer {
  readonly host: string;
  /** Hosts and ports, or the directory of the Unix socket. */
  readonly address: string;
  readonly user: string;
  readonly database: string;
  /** Variable or option with the connection string. Null for the embedded database. */
  readonly variable: DatabaseVariable | null;
}

interface ServerClient {
  /** Client that is not connected yet. */
  readonly client: Client;
  readonly server: DatabaseServer;
}

/** Creates a client of a server. Throws a StartProblem if the connection string is invalid. */
export function databaseClientOf(url: string, variable: DatabaseVariable | null, connectionTimeoutMillis = 10_000): ServerClient {
  try {
    // Errors of a connection that breaks while it closes are ignored. An unhandled error would end the process.
    const client = new Client({ ...connectionOptions(url), connectionTimeoutMillis }).on('error', () => undefined);
    const { host, port, user = '', database = '' } = client;
    const hosts = hostsOf(url).map((each) => `${each.host}:${each.port}`);
    const address = hosts.length > 0 ? hosts.join(' and ') : `${host}:${port}`;
    return { client, server: { host, address, user, database, variable } };
  } catch (error) {
    // pg reads certificate files when it creates the client. Only errors about these files have a path.
    if (error instanceof Error && 'path' in error)
      throw new StartProblem(
        `${variable} names the file ${error.path}, which cannot be read: correct the path or the permissions.`,
      );
    throw new StartProblem(
      `${variable} is invalid: expected postgresql://user:password@host:5432/database, with special characters percent-encoded.`,
    );
  }
}
