import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { requires } from '../../support/prerequisites.js';
import { missingBalancer, startDatabaseBalancer } from '../../support/servers/load-balancer.js';

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Starts a database server that sends its name, and a server with the REST API of Patroni. */
async function startServer(name: string, isPrimary: () => boolean): Promise<{ port: number; apiPort: number }> {
  const port = await listen(createServer((socket) => void socket.on('error', () => undefined).write(name)));
  const api = createHttpServer(({ url }, response) => {
    response.writeHead(url === '/primary' && isPrimary() ? 200 : 503).end();
  });
  return { port, apiPort: await listen(api) };
}

describe('HAProxy in front of PostgreSQL', requires(missingBalancer), () => {
  test('forwards connections to the primary, and closes those to a former one', async () => {
    let primary = 'one';
    const servers = [await startServer('one', () => primary === 'one'), await startServer('two', () => primary === 'two')];
    const balancer = await startDatabaseBalancer(servers);
    closers.push(balancer.stop);
    const open = async () => {
      const socket = connect(balancer.port, '127.0.0.1').on('error', () => undefined);
      const closed = once(socket, 'close');
      const greeting = await Promise.race([once(socket, 'data').then(([data]) => String(data)), closed.then(() => null)]);
      return { greeting, socket, closed };
    };
    const first = await vi.waitUntil(async () => {
      const connection = await open();
      return connection.greeting === 'one' && connection;
    }, 10_000);
    primary = 'two';
    await first.closed;
    const second = await vi.waitUntil(async () => (await open()).greeting, 10_000);
    expect({ first: first.greeting, second }).toEqual({ first: 'one', second: 'two' });
  });
});

test('patroni.yml uses synchronous replication, and timeouts that Patroni accepts', () => {
  const { dcs } = parse(readFileSync('docs/deploy/patroni.yml', 'utf8')).bootstrap;
  expect({
    isSynchronous: dcs.synchronous_mode,
    areTimeoutsValid: dcs.loop_wait + 2 * dcs.retry_timeout <= dcs.ttl,
  }).toEqual({ isSynchronous: true, areTimeoutsValid: true });
});
