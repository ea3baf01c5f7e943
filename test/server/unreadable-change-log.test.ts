import { expect, test } from 'vitest';
import { freePort } from '../../src/process/port.js';
import { startApp } from '../support/servers/app.js';
import { freshDatabase } from '../support/servers/test-database.js';

test('a failure to read the change log is logged once, although each request tries to read it', async () => {
  const lines: string[] = [];
  const database = await freshDatabase();
  const environment = {
    DATABASE_URL: database.url,
    DATABASE_LISTEN_URL: `postgresql://127.0.0.1:${await freePort()}/x`,
    RESPONSE_CACHE_MB: '1',
  };
  const service = await startApp(environment, database, undefined, true, lines);
  const statuses = new Set<number>();
  for (let count = 0; count < 20; count++) statuses.add((await service.rest('GET', '/v1/data/leagues', service.platform)).status);
  await service.close();
  expect({
    statuses: [...statuses],
    lines: lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40),
  }).toMatchObject({
    statuses: [200],
    lines: [{ msg: 'the change log cannot be read, will be retried', cause: 'connection refused', code: 'ECONNREFUSED' }],
  });
});
