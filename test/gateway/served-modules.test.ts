import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, freshDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

const secret = 'the-secret-of-the-test-router';
const names = ['checkout', 'engagement'];
let database: Database;
let processes: Map<string, Service>;

// Each in a process of its own, which builds what its module needs and no more.
beforeAll(async () => {
  database = await freshDatabase();
  const start = (name: string) =>
    startService({ DATABASE_URL: database.url, ROUTER_SECRET: secret, GRAPH: 'off', SUBGRAPHS: name, LOG_LEVEL: 'error' });
  processes = new Map(await Promise.all(names.map(async (name) => [name, await start(name)] as const)));
}, 120_000);
afterAll(async () => {
  for (const service of processes.values()) service.signal('SIGTERM');
  await Promise.all([...processes.values()].map(({ ended }) => ended));
  await database.drop();
});

async function ask(name: string, query: string) {
  const response = await fetch(`${processes.get(name)?.origin}/subgraphs/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'router-secret': secret },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

test.for(names)('a process of %s alone serves the subgraph of schema/', async (name) => {
  const { data } = await ask(name, '{ _service { sdl } }');
  // Behind it the server puts the directives of federation themselves.
  expect(data._service.sdl.startsWith(readFileSync(`schema/${name}.graphql`, 'utf8').trim())).toBe(true);
});

test.runIf(process.platform === 'linux').for(names)('a process of %s alone takes less than 150 MB', async (name) => {
  const resident = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${processes.get(name)?.pid}/status`, 'utf8'))?.[1]) / 1024;
  await expect.poll(resident, { timeout: 15_000 }).toBeLessThan(150);
});
