import { expect, test } from 'vitest';
import { databaseFindings } from '../../src/commands/doctor/database.js';
import { withHostsParameter } from '../../src/kernel/primary-host.js';
import { freshDatabase } from '../support/servers/test-database.js';

test('the doctor prints the host to which it is connected, if the first host does not respond', async () => {
  const database = await freshDatabase();
  const { host, pathname } = new URL(database.url);
  const databaseUrl = withHostsParameter(database.url.replace(host, `127.0.0.1:1,${host}`));
  const config = { databaseUrl, dataDir: '', isProduction: false, workers: 1, databasePool: 2, replicaUrls: [], listenUrl: null };
  const { Database } = await databaseFindings(config);
  await database.drop();
  expect(Database).toEqual([expect.objectContaining({ message: expect.stringContaining(`${host}${pathname}, PostgreSQL `) })]);
});
