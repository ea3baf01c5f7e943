import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { runAdmin } from '../../src/commands/admin.js';
import { command as exportDatabase } from '../../src/commands/export.js';
import { freePort } from '../../src/process/port.js';
import { StartProblem } from '../../src/process/start-problem.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

const visitor = `visitor_${randomUUID().replaceAll('-', '')}`;
let database: Database;
/** URL of a database user without privileges on the tables. */
let visitorUrl: URL;
beforeAll(async () => {
  database = await freshDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`create role ${visitor} login password 'secret-word'`);
  await client.end();
  visitorUrl = Object.assign(new URL(database.url), { username: visitor, password: 'secret-word' });
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => database?.drop());

const commands: Record<string, (url: string) => Promise<unknown>> = {
  admin: (url) => runAdmin(['platform', 'list', '--database-url', url], () => undefined),
  export: (url) => exportDatabase.run([join(inject('scratch'), randomUUID()), '--database-url', url]),
};

test.each(Object.entries(commands))('errors of %s describe the server in --database-url', async (_, run) => {
  vi.stubEnv('DATABASE_URL', 'postgresql://other@db.example/elsewhere');
  const messageFor = (url: string) =>
    run(url).then(
      () => null,
      (error: unknown) => (error instanceof StartProblem ? error.message : error),
    );
  const port = await freePort();
  expect({
    withoutServer: await messageFor(`postgresql://ana:secret-word@127.0.0.1:${port}/courtside`),
    withoutRights: await messageFor(visitorUrl.href),
  }).toEqual({
    withoutServer: `PostgreSQL does not respond at 127.0.0.1:${port} (ECONNREFUSED): start it, or correct --database-url.`,
    withoutRights: expect.stringMatching(
      new RegExp(`^The user ${visitor} lacks a permission in the database ${visitorUrl.pathname.slice(1)} \\(.* 42501\\): `),
    ),
  });
});
