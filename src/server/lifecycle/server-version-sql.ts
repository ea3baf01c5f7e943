import { sqlForReading } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import { type Pools, Session } from '../../kernel/session.js';

/** Returns the version of the database server, such as `18.4`. */
export async function readServerVersion(pools: Pools): Promise<string> {
  const sql = sqlForReading([], `select current_setting('server_version') as version`, { otherDependency: 'current_setting' });
  const row = await new Session(pools, 'write').row(sql, [], { version: is.text });
  return row?.version ?? 'unknown';
}
