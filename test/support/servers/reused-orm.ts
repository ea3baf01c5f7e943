import { type Orm, openOrm } from '../../../src/database/orm.js';

/** ORMs of apps that were closed, by worker. Discovering the entities takes up to 100 ms, so the next app reconnects one of them. */
const closedOrms: Orm[] = [];

/** An ORM with its own pool of connections to a database. */
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
