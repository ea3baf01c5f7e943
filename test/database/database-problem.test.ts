import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { databaseProblem } from '../../src/database/checks/database-problem.js';
import { databaseClientOf } from '../../src/database/checks/database-server.js';

test('a server that accepts a connection of the pool but does not respond is reported as slow, not as closing the connection', async () => {
  const silentServer = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silentServer, 'listening');
  const { port } = silentServer.address() as AddressInfo;
  const url = `postgresql://ana@127.0.0.1:${port}/courtside`;
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 50 });
  const error: Error = await pool.connect().then(
    () => new Error('connected'),
    (failure) => failure,
  );
  await pool.end();
  silentServer.close();
  const { message } = databaseProblem(error, databaseClientOf(url, 'DATABASE_URL').server);
  expect(message).toBe(
    `PostgreSQL at 127.0.0.1:${port} does not respond in time: check the load of the server, the network and its firewalls, or correct DATABASE_URL.`,
  );
});
