import { sqlForReading } from '../kernel/facts.js';
import { is, type RowOfShape } from '../kernel/row-shape.js';
import type { Session } from '../kernel/session.js';

const healthShape = { version: is.text, connections: is.number, maxConnections: is.number, size: is.number };

const statement = sqlForReading(
  [],
  `select current_setting('server_version') as version,
     (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
     current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
       - coalesce(current_setting('reserved_connections', true)::int, 0) as "maxConnections",
     pg_database_size(current_database())::float8 as size`,
  { otherDependency: 'pg_stat_activity' },
);

/** Reads the version of the server, its connections, and the size of the database in bytes. */
export const readDatabaseHealth = (sql: Session): Promise<RowOfShape<typeof healthShape> | null> =>
  sql.row(statement, [], healthShape);
