import { afterAll, beforeAll, expect, test } from 'vitest';
import { release } from '../../src/process/release.js';
import { type Service, startService } from '../support/servers/service-process.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

let database: Database;
let service: Service;
beforeAll(async () => {
  database = await freshDatabase();
  service = await startService({ DATABASE_URL: database.url, LOG_LEVEL: 'debug', DRAIN_DELAY: '1' });
}, 60_000);
afterAll(async () => {
  service.signal('SIGKILL');
  await service.exit;
  await database.drop();
});

type Line = Record<string, unknown>;

const linesOf = (): Line[] =>
  service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Line => JSON.parse(line));

test('the start, the drain period and the shutdown are logged', async () => {
  await expect.poll(() => linesOf().some(({ msg }) => msg === 'started')).toBe(true);
  service.signal('SIGTERM');
  expect(await service.exit).toBe(0);
  const messages = ['started', 'drain started', 'drain finished', 'shutdown started', 'shutdown finished'];
  const lines = linesOf().filter(({ msg }) => messages.includes(String(msg)));
  const level = 20;
  const anyNumber = expect.any(Number);
  expect(lines.map(({ time: _, ...fields }) => fields)).toEqual([
    {
      level,
      msg: 'started',
      version: release,
      node: process.versions.node,
      schema: expect.stringMatching(/^[0-9a-f]{12}$/),
      database: expect.stringMatching(/^\d+\.\d+/),
      host: '127.0.0.1',
      port: Number(new URL(service.origin).port),
      graph: true,
      subgraphs: [],
    },
    { level, msg: 'drain started', seconds: 1, unfinishedRequests: 0 },
    { level, msg: 'drain finished', duration: anyNumber, unfinishedRequests: 0 },
    { level, msg: 'shutdown started', unfinishedRequests: 0 },
    { level, msg: 'shutdown finished', duration: anyNumber },
  ]);
});
