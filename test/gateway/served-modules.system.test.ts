import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missingLinux, requires } from '../support/prerequisites.js';
import { type Service, startService } from '../support/servers/service-process.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

const secret = 'the-secret-of-the-test-router';
const names = ['checkout', 'engagement'];
let database: Database;
let processes: Map<string, Service>;

// Each module has its own process, which builds only what that module needs.
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

async function post(name: string, query: string) {
  const response = await fetch(`${processes.get(name)?.origin}/subgraphs/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'router-secret': secret },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

test.for(names)('a process that serves only %s has the SDL of its file in schema/', async (name) => {
  const { data } = await post(name, '{ _service { sdl } }');
  // The server appends the definitions of the federation directives.
  expect(data._service.sdl.startsWith(readFileSync(`schema/${name}.graphql`, 'utf8').trim())).toBe(true);
});

test.for(names)('a process that serves only %s takes less than 150 MB', requires(missingLinux), async (name) => {
  const residentMegabytes = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${processes.get(name)?.pid}/status`, 'utf8'))?.[1]) / 1024;
  await expect.poll(residentMegabytes, { timeout: 15_000 }).toBeLessThan(150);
});
