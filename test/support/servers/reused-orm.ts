import { type Orm, openOrm } from '../../../src/database/orm.js';

/** ORMs of closed apps in this worker. The next app reconnects one of them, because discovering the entities takes up to 100 ms. */
const closedOrms: Orm[] = [];

/** Returns an ORM with its own connection pool for a database. Reuses the ORM of a closed app if there is one. */
export async function openReusedOrm(url: string): Promise<Orm> {
  const orm = closedOrms.pop();
  if (!orm) return openOrm({ url, pool: 4, isLazy: true });
  await orm.reconnect({ clientUrl: url, driverOptions: { ...orm.config.get('driverOptions'), connectionString: url } });
  return orm;
}

export async function closeReusedOrm(orm: Orm): Promise<void> {
  await orm.close();
  closedOrms.push(orm);
}
