import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { subgraphUrl } from '../../../src/commands/emit.js';
import { modules } from '../../../src/modules/index.js';
import { emittedSdl, servedSdl } from '../../support/clients/subgraph-sdl.js';
import { missingLinux, requires } from '../../support/prerequisites.js';
import { buildService, type Service, startService } from '../../support/servers/service-process.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

const secret = 'the-secret-of-the-test-router';
const names = modules.map(({ name }) => name);
const pairs = names.flatMap((_, index) => (index % 2 === 0 ? [names.slice(index, index + 2)] : []));
const half = Math.ceil(names.length / 2);

let database: Database;
beforeAll(async () => {
  await buildService();
  database = await freshDatabase();
});
afterAll(() => database.drop());

/** Starts a process that serves only the subgraphs of some modules, and builds only what they need. Calls `work` with the process. */
async function serving<T>(served: readonly string[], work: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService({
    DATABASE_URL: database.url,
    ROUTER_SECRET: secret,
    GRAPH: 'off',
    SUBGRAPHS: served.join(),
    LOG_LEVEL: 'error',
  });
  try {
    return await work(service);
  } finally {
    service.signal('SIGKILL');
    await service.exit;
  }
}

const sdlOf = ({ origin }: Service, name: string): Promise<string> => servedSdl(subgraphUrl(name, origin), secret);

// `parity.system.test.ts` covers the layout with one process per module.
describe('each subgraph has exactly the SDL of its file in schema/', () => {
  test.for([
    ...pairs.map((pair) => ({ layout: `a process of ${pair.join(' and ')}`, served: pair })),
    { layout: 'the first of two processes', served: names.slice(0, half) },
    { layout: 'the second of two processes', served: names.slice(half) },
    { layout: 'one process of all modules', served: names },
  ])('$layout', async ({ served }) => {
    const differing = await serving(served, async (service) => {
      const sdls = await Promise.all(served.map(async (name) => ({ name, sdl: await sdlOf(service, name) })));
      return sdls.filter(({ name, sdl }) => sdl !== emittedSdl(name)).map(({ name }) => name);
    });
    expect(differing).toEqual([]);
  });
});

test.for(['checkout', 'engagement'])('a process of %s alone takes less than 150 MB', requires(missingLinux), async (name) => {
  await serving([name], async (service) => {
    await sdlOf(service, name);
    const residentMegabytes = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024;
    await expect.poll(residentMegabytes, { timeout: 15_000 }).toBeLessThan(150);
  });
});
