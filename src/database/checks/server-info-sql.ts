import type { Client } from 'pg';

/** State of a database server. */
export interface ServerInfo {
  /** Version number, such as 180001. */
  readonly version: number;
  readonly isReadOnly: boolean;
  /**
   * Whether a pooler is between the service and the server. If so, the pooler limits the connections, and the limits of the server do not
   * apply.
   */
  readonly isPooled: boolean;
  readonly maxConnections: number;
  /** Connections that only superusers and some roles can use. */
  readonly reservedConnections: number;
  /** Connection limits of the user and of the database. Null if unlimited. */
  readonly userLimit: number | null;
  readonly databaseLimit: number | null;
}

/** Unlimited connection limits are -1. PostgreSQL before version 16 has no `reserved_connections`. */
const infoSql = `select current_setting('server_version_num')::int as version,
  current_setting('transaction_read_only') = 'on' as "isReadOnly",
  pg_backend_pid() as "backendPid",
  current_setting('max_connections')::int as "maxConnections",
  current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true)::int, 0)
    as "reservedConnections",
  (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user) as "userLimit",
  (select nullif(datconnlimit, -1) from pg_database where datname = current_database()) as "databaseLimit"`;

/** Reads the state of the server. The client must be connected. */
export async function readServerInfo(client: Client): Promise<ServerInfo> {
  const { rows } = await client.query<Omit<ServerInfo, 'isPooled'> & { backendPid: number }>(infoSql);
  const [row] = rows;
  if (!row) throw new Error('the server returned no row');
  const { backendPid, ...info } = row;
  // A pooler assigns its own process IDs to the connections of its clients.
  const isPooled = 'processID' in client && client.processID !== backendPid;
  return { ...info, isPooled };
}
